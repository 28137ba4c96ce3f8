// Starts of messages and of texts: reset the state of bodies, and begin segments.

import * as mail from "../layout/mail.ts";
import { PART_SKIP, PART_TEXT, startPart } from "./body-part.ts";
import { TRANSFER_IDENTITY, TYPE_TEXT } from "./content.ts";
import { forgetSkippedBreak } from "./encoded-block.ts";
import { beginHeader } from "./header.ts";
import * as parts from "./parts.ts";
import * as pipe from "./pipe.ts";
import * as reader from "./reader.ts";
import { hasLength } from "./source.ts";
import { isUtf16 } from "./utf16.ts";

/** Begins a message, or a record if `inMessage` is false, at the next source byte. */
export function beginMessage(inMessage: bool): void {
  assert(!hasLength());
  beginBodies(inMessage);
  reader.countMessage();
  pipe.count(mail.COUNT_MESSAGES, 1);
}

/** Resets the state of bodies for a message, or for a source or record if `inMessage` is false. */
export function beginBodies(inMessage: bool): void {
  parts.beginParts(inMessage);
  forgetSkippedBreak();
}

/** Begins an outermost message with its header, at the next source byte. */
export function startMessage(): void {
  beginMessage(true);
  pipe.markMessage();
  beginHeader(true, true, TYPE_TEXT);
}

/** Begins a text at WHERE_* that has no encoding and names no charset. */
export function startText(where: i32): void {
  startSegment(where, PART_TEXT, TRANSFER_IDENTITY, reader.charset);
}

/** Begins a text at WHERE_*, by PART_*, TRANSFER_* and CONVERT_*. */
export function startSegment(where: i32, kind: i32, encoding: i32, convert: i32): void {
  reader.enterText(reader.MODE_BODY, where);
  if (kind != PART_SKIP) pipe.beginSegment(where, parts.writePart(), parts.writePartUrl());
  startPart(kind, encoding, convert);
}

/** Begins a body that is skipped, and counts it as a skipped part. */
export function startSkipped(): void {
  pipe.count(mail.COUNT_PARTS_SKIPPED, 1);
  startSegment(mail.WHERE_BODY, PART_SKIP, TRANSFER_IDENTITY, mail.CONVERT_NONE);
}

/** Returns CONVERT_* of a text. Adds `lines` (CONVERT_FLOWED, _FOLDED, _LDIF or _NONE) if lines are joined in its charset (A8, A9, A18). */
export function conversionOf(charset: i32, lines: i32): i32 {
  const bits = charset & mail.CONVERT_CHARSET;
  const last = lines == mail.CONVERT_FLOWED ? mail.CONVERT_ISO_2022 : mail.CONVERT_EUC_JP;
  return isUtf16(charset) || bits > last ? charset : charset | lines;
}
