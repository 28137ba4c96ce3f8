// The names of charsets in a Content-Type (A8): those of the Encoding Standard, and others that mail has.

import { lower } from "../bytes/ascii.ts";
import { HYPHEN, UNDERSCORE } from "../bytes/characters.ts";
import { isKeyword, startsWith } from "../bytes/keyword.ts";
import * as mail from "../layout/mail.ts";
import { load8, store8 } from "../platform/memory.ts";

/** Returns CONVERT_* of the charset of the name [start, end), which is overwritten; CONVERT_NONE: its text is read as it is. */
export function charsetNamed(start: i32, end: i32): i32 {
  if (isKeyword(start, end, "utf-16")) return mail.CONVERT_UTF16;
  if (isKeyword(start, end, "utf-16le")) return mail.CONVERT_UTF16_LE;
  if (isKeyword(start, end, "utf-16be")) return mail.CONVERT_UTF16_BE;
  // Writers differ in `-` and `_`, and in an `x-`, `cs` or `cn-` before the name.
  let stop = start;
  for (let p = start; p < end; p++) {
    const c = load8(p);
    if (c != HYPHEN && c != UNDERSCORE) store8(stop++, lower(c));
  }
  let name = start;
  while (stop - name > 3 && (startsWith(name, "x") || startsWith(name, "cs") || startsWith(name, "cn")))
    name += startsWith(name, "x") ? 1 : 2;
  if (stop - name > 6 && (startsWith(name, "iso2022") || startsWith(name, "cp5022"))) return mail.CONVERT_ISO_2022;
  return chinese(name, stop) | japanese(name, stop) | korean(name, stop) | ofMail(name, stop);
}

function chinese(p: i32, end: i32): i32 {
  if (isKeyword(p, end, "gb2312") || isKeyword(p, end, "gbk") || isKeyword(p, end, "gb18030")) return mail.CONVERT_GB;
  if (isKeyword(p, end, "gb231280") || isKeyword(p, end, "euccn") || isKeyword(p, end, "chinese")) return mail.CONVERT_GB;
  if (isPage(p, end, "936")) return mail.CONVERT_GB;
  return isKeyword(p, end, "big5") || isKeyword(p, end, "big5hkscs") || isPage(p, end, "950") ? mail.CONVERT_BIG5 : 0;
}

function japanese(p: i32, end: i32): i32 {
  if (isKeyword(p, end, "eucjp") || isKeyword(p, end, "ujis")) return mail.CONVERT_EUC_JP;
  if (isKeyword(p, end, "shiftjis") || isKeyword(p, end, "sjis") || isKeyword(p, end, "mskanji")) return mail.CONVERT_SHIFT_JIS;
  return isPage(p, end, "932") || isPage(p, end, "31j") ? mail.CONVERT_SHIFT_JIS : 0;
}

function korean(p: i32, end: i32): i32 {
  if (isKeyword(p, end, "euckr") || isKeyword(p, end, "korean") || isPage(p, end, "949")) return mail.CONVERT_EUC_KR;
  return end - p >= 7 && startsWith(p, "ksc5601") ? mail.CONVERT_EUC_KR : 0;
}

function ofMail(p: i32, end: i32): i32 {
  if (isKeyword(p, end, "hzgb2312") || isKeyword(p, end, "hz")) return mail.CONVERT_HZ;
  if (isKeyword(p, end, "utf7") || isKeyword(p, end, "unicode11utf7")) return mail.CONVERT_UTF_7;
  return isKeyword(p, end, "unicode20utf7") ? mail.CONVERT_UTF_7 : 0;
}

/** Whether the name is that of a code page: `cp932`, `ms932`, `windows-932`. */
function isPage(p: i32, end: i32, number: string): bool {
  const prefix = end - p - number.length;
  if (prefix != 2 && prefix != 7) return false;
  if (!startsWith(p + prefix, number)) return false;
  return prefix == 7 ? startsWith(p, "windows") : startsWith(p, "cp") || startsWith(p, "ms");
}
