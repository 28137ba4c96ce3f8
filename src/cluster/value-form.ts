// Checks the form of values in plans and results. A checksum is no protection, because anybody can compute one.
import { OMISSION_REASONS, type Omission } from "../base/omission.ts";

export type Check = (value: unknown) => boolean;

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

export function isText(value: unknown): value is string {
  return typeof value === "string";
}

export function absentOr(check: Check): Check {
  return (value) => value === undefined || check(value);
}

export function listOf(check: Check, most = Number.POSITIVE_INFINITY): Check {
  return (value) => Array.isArray(value) && value.length <= most && value.every(check);
}

/** Returns a check for objects of the type `T`: the named members must pass their checks, and others may be anything. */
export function objectOf<T extends object>(members: { readonly [K in keyof T]?: Check }): (value: unknown) => value is T {
  const checks = Object.entries<Check | undefined>(members);
  return (value): value is T => isObject(value) && checks.every(([name, check]) => check?.(value[name]));
}

export function isOmissionReason(value: unknown): boolean {
  return (OMISSION_REASONS as readonly unknown[]).includes(value);
}

export const isOmission = objectOf<Omission>({
  reason: isOmissionReason,
  start: absentOr(isCount),
  source: absentOr(isText),
  message_id: absentOr(isText),
  text: absentOr(isText),
  name: absentOr(isText),
});
