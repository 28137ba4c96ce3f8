// Texts and pages that are no archives, to be read in a charset (A18).
import fc from "fast-check";
import { pageText, plainText } from "./pieces.ts";

/** A text with or without a byte order mark; the start of what may be a page is as long as what is looked at for a charset, or short. */
const texts = fc.tuple(
  fc.constantFrom("", "", "\xef\xbb\xbf"),
  fc.constantFrom("", "", "", `${" ".repeat(1000)}<`, " ".repeat(1014)),
  plainText,
  pageText,
);

/** A text, and how it is read. */
export const textsInCharsets = fc.tuple(
  texts.map((pieces) => Buffer.from(pieces.join(""), "latin1")),
  fc.record({
    type: fc.constantFrom("text" as const, "html" as const, "xml" as const),
    charset: fc.constantFrom(
      ...["windows-1252", "iso-8859-7", "koi8-r", "utf-8", "utf-16le", "utf-16be", "windows-1252"],
      ...["gbk", "big5", "euc-kr", "shift_jis", "euc-jp", "iso-2022-jp", "hz-gb-2312", "utf-7"],
    ),
  }),
);
