// From rows to records in JSON, one a line (ndjson). Fields are copied as they are: a row may be here only if JSON escapes nothing in them.

import { QUOTE } from "../bytes/characters.ts";
import { writeDecimal, writeDigits } from "../bytes/number.ts";
import * as code from "../layout/codes.ts";
import { OUTPUT_BYTES, OUTPUT_REGION, RECORD_REGION, RESULT_OUTPUT_END, SCHEME_TABLE } from "../layout/memory.ts";
import * as layout from "../layout/records.ts";
import { ROW_LENGTH, ROW_NAME, SCHEME_ROW_BYTES } from "../layout/scheme-rows.ts";
import { divide, multiply } from "../platform/arith.ts";
import { copyLower, copyShort } from "../platform/kernel.ts";
import { load8, loadWord, store8, storeWord } from "../platform/memory.ts";

/** Most bytes of what a record has beside its fields and the texts of its row, and of what is written after its end. */
const ROOM: i32 = 512;

/** The offset that those of rows count from, in two parts. */
let baseHigh: i32 = 0;
let baseLow: i32 = 0;
let hasRaw: bool = true;

/**
 * Writes the rows [first, end) as records to OUTPUT_REGION, and sets RECORD_TAIL_AT of each and RESULT_OUTPUT_END. Offsets count from
 * `high` * BILLION + `low`. Returns the first row that is not written: the output is full, with none if one record is too long.
 */
export function writeRecords(first: i32, end: i32, high: i32, low: i32, withRaw: bool): i32 {
  baseHigh = high;
  baseLow = low;
  hasRaw = withRaw;
  let at = OUTPUT_REGION;
  let i = first;
  for (; i < end && at < OUTPUT_REGION + layout.RECORDS_BYTES; i++) {
    const row = RECORD_REGION + multiply(i, code.RECORD_WORDS << 2);
    if (at + bytesMost(row) > OUTPUT_REGION + OUTPUT_BYTES) break;
    at = writeRecord(row, at);
  }
  storeWord(RESULT_OUTPUT_END, at);
  return i;
}

function word(row: i32, field: i32): i32 {
  return loadWord(row + (field << 2));
}

/** The scheme is a part of the URL or of the raw form. */
function bytesMost(row: i32): i32 {
  const fields = ((word(row, code.RECORD_URL_LENGTH) + word(row, code.RECORD_RAW_LENGTH)) << 1) + word(row, code.RECORD_HOST_LENGTH);
  return fields + loadWord(word(row, layout.RECORD_MIDDLE)) + loadWord(word(row, layout.RECORD_TAIL)) + ROOM;
}

function writeRecord(row: i32, to: i32): i32 {
  const hasUrl = word(row, code.RECORD_REASON) == code.REASON_NONE;
  let at = hasUrl ? putField(row, code.RECORD_URL, layout.TEXT_URL, to) : putText(layout.BETWEEN_REGION + layout.TEXT_NO_URL, to);
  if (hasRaw) at = putField(row, code.RECORD_RAW, layout.TEXT_RAW, at);
  at = putScheme(row, hasUrl, putText(layout.BETWEEN_REGION + layout.TEXT_SCHEME, at));
  const hasHost = word(row, code.RECORD_HOST_LENGTH) != 0;
  at = hasHost ? putField(row, code.RECORD_HOST, layout.TEXT_HOST, at) : putText(layout.BETWEEN_REGION + layout.TEXT_NO_HOST, at);
  at = putOffset(word(row, code.RECORD_START), putText(word(row, layout.RECORD_MIDDLE), at));
  at = putOffset(word(row, code.RECORD_END), putText(layout.BETWEEN_REGION + layout.TEXT_END, at));
  storeWord(row + (layout.RECORD_TAIL_AT << 2), at - OUTPUT_REGION);
  return putText(word(row, layout.RECORD_TAIL), at);
}

function putText(text: i32, to: i32): i32 {
  return copyShort(to, text + 4, loadWord(text));
}

/** Puts a field, whose length is the word after it, with its quotation marks: `before` ends with the first. */
function putField(row: i32, field: i32, before: i32, to: i32): i32 {
  const at = putText(layout.BETWEEN_REGION + before, to);
  const end = copyShort(at, layout.FIELDS_REGION + word(row, field), word(row, field + 1));
  store8(end, QUOTE);
  return end + 1;
}

/** Puts the name of the scheme in lower case. */
function putScheme(row: i32, hasUrl: bool, to: i32): i32 {
  const length = word(row, code.RECORD_SCHEME_LENGTH);
  if (length == 0) {
    const known = SCHEME_TABLE + multiply(word(row, code.RECORD_SCHEME), SCHEME_ROW_BYTES);
    return copyShort(to, known + ROW_NAME, load8(known + ROW_LENGTH));
  }
  const from = layout.FIELDS_REGION + word(row, hasUrl ? code.RECORD_URL : code.RECORD_RAW);
  copyLower(to, from, from + length);
  return to + length;
}

/** Puts an offset of the source in decimal. */
function putOffset(offset: i32, to: i32): i32 {
  const billions = divide(offset, layout.BILLION);
  let high = baseHigh + billions;
  let low = baseLow + offset - multiply(billions, layout.BILLION);
  if (low >= layout.BILLION) {
    low -= layout.BILLION;
    high++;
  }
  return high == 0 ? writeDecimal(low, to) : writeDigits(low, 9, writeDecimal(high, to));
}
