// JSON with a checksum, by which a reader recognizes a damaged marker.
import { createHash } from "node:crypto";

const CHECKED = /^(\{.*),"check":"([0-9a-f]{64})"\}\n$/s;

/** Returns an object with members as a line of JSON. Its last member, `check`, is the SHA-256 of the JSON without it. */
export function checkedJson(value: object): string {
  const text = JSON.stringify(value);
  return `${text.slice(0, -1)},"check":"${hashOf(text)}"}\n`;
}

/** Returns the object in a text of `checkedJson`; undefined for any other text. */
export function checkedValue<T extends object>(text: string): T | undefined {
  const [, members, hash] = CHECKED.exec(text) ?? [];
  return members !== undefined && hashOf(`${members}}`) === hash ? (JSON.parse(`${members}}`) as T) : undefined;
}

function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
