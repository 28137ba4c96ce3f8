// Texts that the host passes as sources of their own: a message in a transfer encoding (C177), or the texts of an unpacked attachment, one
// after the other (C178).

import * as mail from "../layout/mail.ts";
import { nextMember } from "../platform/callbacks.ts";
import { PART_SKIP, startPart } from "./body-part.ts";
import * as content from "./content.ts";
import { enterEncodedMessage, leaveEncodedMessage } from "./encoded-message.ts";
import { linesOf } from "./folded.ts";
import { beginHeader } from "./header.ts";
import { startBody } from "./header-end.ts";
import { beginLocation } from "./location.ts";
import { closeInEncoded, ENCODED_CUT, ENCODED_PACKED, openMessage } from "./parts.ts";
import { omit } from "./pipe.ts";
import * as reader from "./reader.ts";
import { HOST_NEXT } from "./source.ts";
import { forgetBody } from "./type-name.ts";

/** FORMAT_* of the text that is read next, or MEMBERS_* after the last text of an attachment. */
let format: i32 = mail.FORMAT_EML;

/** Begins to read the message or the attachment that was collected, after the source address `p`; returns HOST_NEXT. */
export function enterEncoded(p: i32): i32 {
  format = enterEncodedMessage(p) ? nextMember(true) : mail.FORMAT_EML;
  return beginMember();
}

/** Begins to read the next text: a message, or a body part without a header. Returns HOST_NEXT. */
export function beginMember(): i32 {
  reader.enterSource(mail.FORMAT_EML, format == mail.FORMAT_EML);
  beginLocation();
  if (format == mail.FORMAT_EML) {
    openMessage();
    beginHeader(false, true, content.TYPE_TEXT);
  } else {
    content.beginContent(typeOf(format), linesOf(format));
    startBody(0);
  }
  return HOST_NEXT;
}

/** Returns TYPE_* of a text of FORMAT_* that is no message. */
function typeOf(textFormat: i32): i32 {
  if (textFormat == mail.FORMAT_HTML) return content.TYPE_HTML;
  if (textFormat == mail.FORMAT_XML) return content.TYPE_XML;
  return textFormat == mail.FORMAT_JSON ? content.TYPE_JSON : content.TYPE_TEXT;
}

/** Ends the text that is read. Returns whether the attachment has another text. If not, the host passes the bytes after the body next. */
export function endMember(): bool {
  if (format == mail.FORMAT_EML) forgetBody();
  const bits = closeInEncoded();
  const isCut = (bits & ENCODED_CUT) != 0;
  if ((bits & ENCODED_PACKED) != 0) {
    format = nextMember(false);
    if (format >= 0) {
      reader.enter(reader.MODE_MEMBER);
      return true;
    }
    // If the limit has cut the body, its end has reported that already.
    if (format == mail.MEMBERS_LOST && !isCut) omit(mail.COUNT_ENCODED_BODY, 0);
  }
  leaveEncodedMessage();
  if (isCut) startPart(PART_SKIP, content.TRANSFER_IDENTITY, mail.CONVERT_NONE);
  return false;
}
