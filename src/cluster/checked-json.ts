// JSON with a checksum, so that a reader can detect damage; and checks of the form of its values, because anybody can compute a checksum.
import { createHash } from "node:crypto";
import { OMISSION_REASONS, type Omission } from "../base/omission.ts";

const CHECKED = /^(\{.*),"check":"([0-9a-f]{64})"\}\n$/s;

/** Returns a non-empty object as a line of JSON. A last member `check` is added: the SHA-256 of the JSON without it. */
export function checkedJson(value: object): string {
  const text = JSON.stringify(value);
  return `${text.slice(0, -1)},"check":"${hashOf(text)}"}\n`;
}

/** Parses a text that `checkedJson` has written, and returns the object; undefined for any other text. */
export function checkedValue<T extends object>(text: string): T | undefined {
  const [, members, hash] = CHECKED.exec(text) ?? [];
  return members !== undefined && hashOf(`${members}}`) === hash ? (JSON.parse(`${members}}`) as T) : undefined;
}

export function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

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

/** Returns a check for objects that map names to values. */
export function mapOf(check: Check, isName: Check = isText): Check {
  return (value) => isObject(value) && Object.entries(value).every(([name, one]) => isName(name) && check(one));
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
