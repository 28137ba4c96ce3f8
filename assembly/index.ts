// The exported functions of the core. They write further results to the words RESULT_* (layout/memory.ts); decodeHtml, decodeMail
// and refang write to DECODED_* (layout/decoded.ts).

import { beginHtml, decodeHtml } from "./html/html.ts";
import { beginMail, decodeMail } from "./mail/mail.ts";
import { renumber } from "./records/renumber.ts";
import { writeRecords } from "./records/write.ts";
import { emit } from "./scan/emit.ts";
import { refang } from "./scan/refang.ts";
import { configure, moveDown, scan, synchronize } from "./scan/scan.ts";
import { normalizeLines } from "./url/normalize-lines.ts";
import { indexScheme } from "./url/scheme.ts";
import { flagsOf, normalize, split } from "./url/split.ts";
import { writeAsWritten } from "./url/written.ts";

// asc does not know `export ... from` with the endings of files.
export {
  beginHtml,
  beginMail,
  configure,
  decodeHtml,
  decodeMail,
  emit,
  flagsOf,
  indexScheme,
  moveDown,
  normalize,
  normalizeLines,
  refang,
  renumber,
  scan,
  split,
  synchronize,
  writeAsWritten,
  writeRecords,
};
