// The names of the charsets that are converted, in a Content-Type (A8) or in a page (C216): those of the Encoding Standard, and others that
// mail has.

import { lower } from "../bytes/ascii.ts";
import { HYPHEN, LOWER_A, LOWER_C, LOWER_N, LOWER_S, LOWER_X, SPACE, UNDERSCORE } from "../bytes/characters.ts";
import { isKeyword, isSameText, startsWith } from "../bytes/keyword.ts";
import * as mail from "../layout/mail.ts";
import { LABEL_BYTES_MAX, LABEL_REGION } from "../layout/memory.ts";
import { loadCharset } from "../platform/callbacks.ts";
import { characterAt, copyBytes, load8, store8 } from "../platform/memory.ts";

// Names without `-` and `_`. The letter before each name stands for its CONVERT_*, `a` for 0. Separate strings would take twice the memory.
const CHINESE = "fgb2312 fgbk fgb18030 fgb231280 feuccn fchinese fcp936 fms936 fwindows936 gbig5 gbig5hkscs gcp950 gms950 gwindows950 ";
const KOREAN = "heuckr hkorean hcp949 hms949 hwindows949 ";
const JAPANESE = "ishiftjis isjis imskanji icp932 ims932 iwindows932 icp31j ims31j iwindows31j jeucjp jujis ";
const OTHERS = "lhzgb2312 lhz mutf7 municode11utf7 municode20utf7 ";

/** Length of the name in LABEL_REGION, which charsetNamed was asked for last; nearly all parts of an archive name the same charset. */
let labelLength: i32 = 0;
/** Its CONVERT_*. NAMED_CHARSET_TABLE has the characters of a CONVERT_ONE_BYTE. */
let labelCharset: i32 = mail.CONVERT_NONE;

/** Returns CONVERT_* of the charset with the name [start, end), and may overwrite the name. CONVERT_NONE: its text is not converted. */
export function charsetNamed(start: i32, end: i32): i32 {
  if (isKeyword(start, end, "us-ascii") || isKeyword(start, end, "utf-8")) return mail.CONVERT_NONE;
  const length = end - start;
  if (length > LABEL_BYTES_MAX) return severalBytesNamed(start, end);
  if (length != labelLength || !isSameText(start, end, LABEL_REGION)) {
    copyBytes(LABEL_REGION, start, length);
    labelLength = length;
    labelCharset = severalBytesNamed(start, end);
    if (labelCharset == mail.CONVERT_NONE && loadCharset(length)) labelCharset = mail.CONVERT_ONE_BYTE;
  }
  return labelCharset;
}

/** Returns CONVERT_* of the charset of several bytes with the name [start, end), which it overwrites; CONVERT_NONE: there is none. */
function severalBytesNamed(start: i32, end: i32): i32 {
  if (isKeyword(start, end, "utf-16")) return mail.CONVERT_UTF16;
  if (isKeyword(start, end, "utf-16le")) return mail.CONVERT_UTF16_LE;
  if (isKeyword(start, end, "utf-16be")) return mail.CONVERT_UTF16_BE;
  // Writers differ in `-` and `_`, and in the prefix of the name.
  let stop = start;
  for (let p = start; p < end; p++) {
    const c = load8(p);
    if (c != HYPHEN && c != UNDERSCORE) store8(stop++, lower(c));
  }
  let name = start;
  while (stop - name > 3 && prefixBytes(name) > 0) name += prefixBytes(name);
  if (stop - name >= 7 && (startsWith(name, "iso2022") || startsWith(name, "ksc5601"))) {
    return startsWith(name, "iso") ? mail.CONVERT_ISO_2022 : mail.CONVERT_EUC_KR;
  }
  if (stop - name >= 6 && startsWith(name, "cp5022")) return mail.CONVERT_ISO_2022;
  return findIn(CHINESE, name, stop) | findIn(KOREAN, name, stop) | findIn(JAPANESE, name, stop) | findIn(OTHERS, name, stop);
}

/** Returns the length of an `x`, `cs` or `cn` at `p`, or 0. */
function prefixBytes(p: i32): i32 {
  if (load8(p) == LOWER_X) return 1;
  return load8(p) == LOWER_C && (load8(p + 1) == LOWER_S || load8(p + 1) == LOWER_N) ? 2 : 0;
}

/** Returns CONVERT_* of the name [start, end) in `names`, or CONVERT_NONE. */
function findIn(names: string, start: i32, end: i32): i32 {
  const length = names.length;
  let at = 0;
  while (at < length) {
    const convert = characterAt(names, at++) - LOWER_A;
    let p = start;
    while (p < end && characterAt(names, at) == load8(p) && load8(p) != SPACE) {
      p++;
      at++;
    }
    if (p == end && characterAt(names, at) == SPACE) return convert;
    while (characterAt(names, at) != SPACE) at++;
    at++;
  }
  return mail.CONVERT_NONE;
}
