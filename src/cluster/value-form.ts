// Checks the form of values in results. A checksum is no protection, because anybody can compute one.
import * as code from "#core/layout/codes.js";
import { OMISSION_REASONS } from "../base/omission.ts";
import { ROW_HEAD_BYTES } from "../count/count-rows.ts";

type Members = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is Members {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

export function isText(value: unknown): value is string {
  return typeof value === "string";
}

export function isAbsentOr(isValid: (value: unknown) => boolean, value: unknown): boolean {
  return value === undefined || isValid(value);
}

export function isOmission(value: unknown): boolean {
  if (!isObject(value)) return false;
  const { reason, source, start, message_id, text, name } = value;
  const areTexts = [source, message_id, text, name].every((one) => isAbsentOr(isText, one));
  return (OMISSION_REASONS as readonly unknown[]).includes(reason) && areTexts && isAbsentOr(isCount, start);
}

/** Returns whether a value in results is an object with a kind. Rows and groups must be at least `count`; an omission must be valid. */
export function isWhole(value: unknown): boolean {
  if (!isObject(value) || typeof value.kind !== "string") return false;
  const { kind, count, rows, bytes, omission } = value;
  if (kind === "matches") return ArrayBuffer.isView(rows) && hasRows(count, rows, 4 * code.RECORD_WORDS);
  if (kind === "rejected") return ArrayBuffer.isView(rows) && hasRows(count, rows, 4 * code.REJECTED_WORDS);
  if (kind === "groups") return ArrayBuffer.isView(bytes) && hasRows(count, bytes, ROW_HEAD_BYTES);
  return kind !== "omitted" || isOmission(omission);
}

function hasRows(count: unknown, rows: ArrayBufferView, bytes: number): boolean {
  return isCount(count) && count * bytes <= rows.byteLength;
}
