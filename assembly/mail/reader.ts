// State that the files of the mail reader share: the settings of the source, and the position of the reader in it.

import * as mail from "../layout/mail.ts";

/** Before the first message of a range. */
export const MODE_SEEK: i32 = 0;
export const MODE_START: i32 = 1; // At the start of the source
export const MODE_HEADER: i32 = 2;
export const MODE_LONG_FIELD: i32 = 3; // In a field that is longer than FIELD_BYTES_MAX
export const MODE_BODY: i32 = 4;
/** Before, between or after messages that readBetween begins: articles, records, and messages that a length or a separator line ends. */
export const MODE_BETWEEN: i32 = 5;
export const MODE_UUENCODE: i32 = 6; // In a uuencoded block (A7)
export const MODE_YENC: i32 = 7; // In a yEnc block (A7)
export const MODE_YENC_END: i32 = 8; // In the last line of a yEnc block
export const MODE_RECORD: i32 = 9; // In the header of a WARC record
export const MODE_OUTSIDE: i32 = 10; // In text between articles or records
export const MODE_DECODED: i32 = 11; // At or after the end of a coded body: its text is read (A12)
/** At the end of the body of a message in a transfer encoding (C177), or of a packed attachment (C178). Its text is read next. */
export const MODE_MESSAGE: i32 = 12;
export const MODE_MEMBER: i32 = 13; // After a text of an attachment that is unpacked: the next is read (C178)

/** FORMAT_* of the source that is read, which may be an encoded message. */
export let format: i32 = 0;
/** DIALECT_* of an mbox. */
export let dialect: i32 = 0;
/** Whether parts that are not text are read (A4). */
export let readsAllParts: bool = false;
/** CONVERT_* of a text that names no charset (A18). */
export let charset: i32 = 0;
/** Whether marks, lines of an archive, may end the texts of the source. */
export let hasMarks: bool = true;
/** Bits 1 << FIELD_* of the header fields that are collected; 0: no fields and no segments are collected. */
export let fields: i32 = 0;

/** MODE_* of the next source byte. */
export let mode: i32 = MODE_START;
/** Number of the outermost message or record, from 1 on; 0 before the first. */
export let message: i32 = 0;
/** Whether the text is after a message, and belongs to none. */
export let isOutside: bool = false;
/** WHERE_* of the text. */
export let where: i32 = 0;

/** Begins a source, or with `isRange` a range that begins after the first byte of a source. The parameters are those of beginMail. */
export function beginReader(sourceFormat: i32, mboxDialect: i32, allParts: bool, convert: i32, fieldBits: i32, isRange: bool): void {
  format = sourceFormat;
  dialect = mboxDialect;
  readsAllParts = allParts;
  charset = convert;
  const isText = format >= mail.FORMAT_TEXT && format != mail.FORMAT_ARC;
  hasMarks = format != mail.FORMAT_JSON && !isText;
  fields = fieldBits;
  mode = isRange ? MODE_SEEK : MODE_START;
  message = 0;
  isOutside = false;
  where = 0;
}

/** Sets the MODE_* of the next source byte. */
export function enter(next: i32): void {
  mode = next;
}

/** Sets the MODE_* of the next source byte, and the WHERE_* of the text that it begins. */
export function enterText(next: i32, nextWhere: i32): void {
  mode = next;
  where = nextWhere;
}

/** Changes to a source of FORMAT_* from the next byte on. `marks`: it may have marks. */
export function enterSource(sourceFormat: i32, marks: bool): void {
  format = sourceFormat;
  hasMarks = marks;
}

/** Counts the next message, which begins here. */
export function countMessage(): void {
  message++;
  isOutside = false;
}

/** Ends the message: the text after it belongs to none. */
export function leaveMessage(): void {
  isOutside = true;
}
