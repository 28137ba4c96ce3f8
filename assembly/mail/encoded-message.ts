// Messages in base64 or quoted-printable (C177): the host collects the bytes of one as they are decoded, and gives them back as a source
// of its own when the body ends. The multiparts around it stay open meanwhile.

import * as mail from "../layout/mail.ts";
import { takeCoded } from "../platform/callbacks.ts";
import { TYPE_TEXT } from "./content.ts";
import { beginHeader } from "./header.ts";
import { closeEncoded, openEncoded } from "./parts.ts";
import { beginWhole, collectsUnmapped, endWhole, omit } from "./pipe.ts";
import * as reader from "./reader.ts";

/** Source address of the first byte of the body that is read, also below those of this call, and the end of the body. */
let start: i32 = 0;
let end: i32 = 0;
/** Whether a byte has been read. */
let isBegun: bool = false;
/** Whether the limit cuts it. */
let isCut: bool = false;
/** MODE_* after the body. */
let nextMode: i32 = reader.MODE_BODY;
/** How many messages are read, each in the one before. */
let level: i32 = 0;
/** Of the source that holds all of them: FORMAT_*, source bytes that are left of its message, and MODE_* after the body. */
let format: i32 = 0;
let remaining: i32 = -1;
let modeAround: i32 = reader.MODE_BODY;

/** Begins a source. */
export function beginEncodedMessages(): void {
  level = 0;
  collectsUnmapped(false);
  endWhole();
}

/** Begins to collect the message whose body begins at the source address `body`. */
export function beginEncodedMessage(body: i32): void {
  start = body;
  isBegun = false;
  collectsUnmapped(true);
}

/** Bytes of the body are read from `p` on: quote marks (A2) and dots (A14) before the first have been taken off. */
export function readFrom(p: i32): void {
  if (!isBegun) start = p;
  isBegun = true;
}

/** The source bytes have moved by `distance`. */
export function moveEncodedMessage(distance: i32): void {
  start += distance;
}

/** Gives the decoded bytes [from, to) to the host. */
export function collectMessage(from: i32, to: i32): void {
  if (to > from) takeCoded(from, to - from);
}

/** Returns the address after the last byte of the body that is read. */
export function messageBound(): i32 {
  return start + mail.MESSAGE_BYTES_MAX;
}

/** Ends the body at `stop`: the message is read next. `cut`: the limit ends it. */
export function endEncodedMessage(stop: i32, cut: bool): void {
  end = stop;
  isCut = cut;
  nextMode = reader.MODE_BODY;
  collectsUnmapped(false);
  if (cut) omit(mail.COUNT_ENCODED_BODY, start);
  reader.enter(reader.MODE_MESSAGE);
}

/** The message of known length ends with the body. */
export function endsAround(): void {
  nextMode = reader.MODE_BETWEEN;
}

/** Begins to read the message: the next calls give its bytes. */
export function enterEncodedMessage(): void {
  if (level == 0) {
    format = reader.format;
    remaining = reader.remaining;
    modeAround = nextMode;
    beginWhole(start, end);
  }
  level++;
  openEncoded(isCut);
  reader.enterSource(mail.FORMAT_EML, -1);
  beginHeader(false, true, TYPE_TEXT);
}

/** Whether such a message is read. */
export function isInEncodedMessage(): bool {
  return level > 0;
}

/** Ends the message that is read: the next call gives the bytes after its body. Returns whether the rest of the body is skipped. */
export function leaveEncodedMessage(): bool {
  level--;
  reader.enter(reader.MODE_BODY);
  if (level == 0) {
    endWhole();
    reader.enterSource(format, remaining);
    reader.enter(modeAround);
  }
  return closeEncoded();
}
