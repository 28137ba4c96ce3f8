// Messages in base64 or quoted-printable (C177): the host collects the bytes of one as they are decoded, and gives them back as a source
// of its own when the body ends. The multiparts around it stay open meanwhile. Attachments that are compressed or archives are collected
// too, and given back as the texts that the host unpacks (C178).

import { startsWith } from "../bytes/keyword.ts";
import * as mail from "../layout/mail.ts";
import { takeCoded } from "../platform/callbacks.ts";
import { load8 } from "../platform/memory.ts";
import * as content from "./content.ts";
import { closeEncoded, ENCODED_CUT, ENCODED_PACKED, openEncoded } from "./parts.ts";
import { beginWhole, endWhole, omit, setUnmapped } from "./pipe.ts";
import * as reader from "./reader.ts";
import * as source from "./source.ts";
import { isWhiteSpace } from "./value.ts";

/** Bytes at the start of a body that show whether it is packed: white space and a few digits. */
export const PACKED_START_BYTES: i32 = 64;
/** Digits of base64 that zip, gzip and zstd begin with: at least 24 bits. */
const ZIP: string = "UEsDB";
const GZIP: string = "H4sI";
const ZSTD: string = "KLUv/";

/** Source addresses of the body. `start` may be before the source bytes of this call. */
let start: i32 = 0;
let end: i32 = 0;
/** Whether a byte of the body has been read. */
let isBegun: bool = false;
/** The body is longer than MESSAGE_BYTES_MAX. */
let isCut: bool = false;
/** The body is a packed attachment, no message. */
let isPacked: bool = false;
/** MODE_* after the body. */
let nextMode: i32 = reader.MODE_BODY;
/** Nesting depth of encoded messages. */
let level: i32 = 0;
/** Saved state of the outermost source: its FORMAT_*, the bytes left of its message, and the MODE_* after the body. */
let format: i32 = 0;
let remaining: i32 = -1;
let modeAround: i32 = reader.MODE_BODY;

/** Begins a source. */
export function beginEncodedMessages(): void {
  level = 0;
  setUnmapped(false);
  endWhole();
}

/** Whether the body after this header may be packed: `startsPacked` decides. */
export function mayBePacked(): bool {
  return content.type == content.TYPE_OTHER && content.encoding == content.TRANSFER_BASE64 && reader.readsAllParts;
}

/** Whether the base64 at `p` begins a zip archive, or data of gzip or zstd. */
export function startsPacked(p: i32): bool {
  const bound = source.end - p < PACKED_START_BYTES ? source.end : p + PACKED_START_BYTES;
  let at = p;
  while (at < bound && isWhiteSpace(load8(at))) at++;
  if (bound - at < GZIP.length) return false;
  return startsWith(at, GZIP) || (bound - at >= ZIP.length && (startsWith(at, ZIP) || startsWith(at, ZSTD)));
}

/** Begins to collect the message, or with `packed` the attachment, whose body begins at the source address `body`. */
export function beginEncodedMessage(body: i32, packed: bool): void {
  start = body;
  isPacked = packed;
  isBegun = false;
  setUnmapped(true);
}

/** Notes the address of the first byte of the body, after quote marks (A2) and dots (A14). */
export function noteBodyStart(p: i32): void {
  if (!isBegun) start = p;
  isBegun = true;
}

/** Adjusts the addresses after the source bytes have moved by `distance`. */
export function moveEncodedMessage(distance: i32): void {
  start += distance;
  end += distance;
}

/** Gives the decoded bytes [from, to) to the host. */
export function collectMessage(from: i32, to: i32): void {
  if (to > from) takeCoded(from, to - from);
}

/** Returns the address where the limit cuts the body. */
export function messageBound(): i32 {
  return start + mail.MESSAGE_BYTES_MAX;
}

/** Ends the body at `stop`: the message is read next. `cut`: the body was cut at the limit. */
export function endEncodedMessage(stop: i32, cut: bool): void {
  end = stop;
  isCut = cut;
  nextMode = reader.MODE_BODY;
  setUnmapped(false);
  if (cut) omit(mail.COUNT_ENCODED_BODY, start);
  reader.enter(reader.MODE_MESSAGE);
}

/** Notes that the enclosing message of known length ends with this body. */
export function endEnclosingMessage(): void {
  nextMode = reader.MODE_BETWEEN;
}

/** Begins to read the message or attachment: the next calls give its bytes. Returns whether it is an attachment. */
export function enterEncodedMessage(): bool {
  if (level == 0) {
    format = reader.format;
    remaining = reader.remaining;
    modeAround = nextMode;
    beginWhole(start, end);
  }
  level++;
  openEncoded((isCut ? ENCODED_CUT : 0) | (isPacked ? ENCODED_PACKED : 0));
  return isPacked;
}

/** Whether an encoded message or a packed attachment is read. */
export function isInEncodedMessage(): bool {
  return level > 0;
}

/** Ends the message or attachment that is read: the next call gives the bytes after its body. */
export function leaveEncodedMessage(): void {
  level--;
  closeEncoded();
  if (level == 0) {
    endWhole();
    reader.enterSource(format, remaining, true);
    reader.enter(modeAround);
    return;
  }
  reader.enterSource(mail.FORMAT_EML, -1, true);
  reader.enter(reader.MODE_BODY);
}
