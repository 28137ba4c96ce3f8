// Messages in base64 or quoted-printable (C177): the host collects the decoded bytes of a message, and passes them as a source of their own
// when the body ends. The multiparts around the message stay open. Compressed attachments and archives are collected too; the host unpacks
// them and passes the texts inside (C178).

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

/** Number of bytes at the start of a body that show whether it is packed: white space and a few digits. */
export const PACKED_START_BYTES: i32 = 64;
/** Digits of base64 that zip, gzip, zstd and PDF begin with: at least 24 bits. */
const ZIP: string = "UEsDB";
const GZIP: string = "H4sI";
const ZSTD: string = "KLUv/";
const PDF: string = "JVBER";

/** Source address of the body, which may be lower than the source bytes of this call. */
let start: i32 = 0;
/** Source address after the body, once it has ended. */
let end: i32 = 0;
let isBegun: bool = false;
/** Whether the body is longer than MESSAGE_BYTES_MAX. */
let isCut: bool = false;
/** Whether the body is a packed attachment, not a message. */
let isPacked: bool = false;
/** MODE_* of the enclosing source after the body. */
let nextMode: i32 = reader.MODE_BODY;
/** Nesting depth of the encoded messages and packed attachments that are read. */
let level: i32 = 0;
/** FORMAT_* of the outermost source. */
let format: i32 = 0;
/** `source.remainingAt` the end of the body in the outermost source. */
let remaining: i32 = -1;
/** MODE_* in the outermost source after the body: bodies in it overwrite `nextMode`. */
let modeAround: i32 = reader.MODE_BODY;

export function beginEncodedMessages(): void {
  level = 0;
  setUnmapped(false);
  endWhole();
}

/** Whether the body after this header may be packed: `startsPacked` decides. */
export function mayBePacked(): bool {
  return content.type == content.TYPE_OTHER && content.encoding == content.TRANSFER_BASE64 && reader.readsAllParts;
}

/** Whether the base64 at `p` begins a zip archive, data of gzip or zstd, or a PDF. */
export function startsPacked(p: i32): bool {
  return startsBody(p, GZIP) || startsBody(p, ZIP) || startsBody(p, ZSTD) || startsPdf(p);
}

export function startsPdf(p: i32): bool {
  return startsBody(p, PDF);
}

function startsBody(p: i32, start: string): bool {
  const bound = source.end - p < PACKED_START_BYTES ? source.end : p + PACKED_START_BYTES;
  let at = p;
  while (at < bound && isWhiteSpace(load8(at))) at++;
  return bound - at >= start.length && startsWith(at, start);
}

/** Begins to collect the message, or with `packed` the attachment, whose body begins at the source address `body`. */
export function beginEncodedMessage(body: i32, packed: bool): void {
  start = body;
  isPacked = packed;
  isBegun = false;
  setUnmapped(true);
}

/**
 * Notes that the body is read at the source address `p`. The first `p` is its start, or follows a quote mark (A2) or dot (A14)
 * that is left out there.
 */
export function noteBodyStart(p: i32): void {
  if (!isBegun) start = p;
  isBegun = true;
}

/** Adjusts the addresses after the source bytes have moved by `distance`. */
export function moveEncodedMessage(distance: i32): void {
  start += distance;
  end += distance;
}

export function collectMessage(from: i32, to: i32): void {
  if (to > from) takeCoded(from, to - from);
}

/** Returns the source address at which the limit cuts the body. */
export function messageBound(): i32 {
  return start + mail.MESSAGE_BYTES_MAX;
}

/** Ends the body at the source address `stop`. The message or attachment is read next. `cut`: the limit has cut the body. */
export function endEncodedMessage(stop: i32, cut: bool): void {
  end = stop;
  isCut = cut;
  nextMode = reader.MODE_BODY;
  setUnmapped(false);
  if (cut) omit(mail.COUNT_ENCODED_BODY, start);
  reader.enter(reader.MODE_MESSAGE);
}

/** Makes the enclosing message, which has a known length, end with this body. */
export function endEnclosingMessage(): void {
  nextMode = reader.MODE_BETWEEN;
}

/** Begins to read the message or attachment, after the source address `p`. Returns whether it is an attachment. */
export function enterEncodedMessage(p: i32): bool {
  if (level == 0) {
    format = reader.format;
    remaining = source.remainingAt(p);
    source.limitMessage(p, -1);
    modeAround = nextMode;
    beginWhole(start, end);
  }
  level++;
  openEncoded((isCut ? ENCODED_CUT : 0) | (isPacked ? ENCODED_PACKED : 0));
  return isPacked;
}

export function isInEncodedMessage(): bool {
  return level > 0;
}

/** Ends the message or attachment that is read. The host passes the bytes after its body next. */
export function leaveEncodedMessage(): void {
  assert(level > 0);
  level--;
  closeEncoded();
  if (level == 0) {
    endWhole();
    reader.enterSource(format, true);
    source.limitMessage(source.end, remaining);
    reader.enter(modeAround);
    return;
  }
  reader.enterSource(mail.FORMAT_EML, true);
  reader.enter(reader.MODE_BODY);
}
