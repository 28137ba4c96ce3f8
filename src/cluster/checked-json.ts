// JSON with a checksum, so that a reader can detect damage.
import { createHash } from "node:crypto";

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
