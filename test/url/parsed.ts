// Compares the parts of a parse with those that a case names.
import { expect } from "vitest";
import type { Case } from "../vectors/cases.ts";

type ParseCase = Extract<Case, { op: "parse" }>;

const decoder = new TextDecoder();

/** The part that a case names, in the case's form: bytes of a `_hex` part as hex, other bytes as text, sets sorted. */
function partOf(parts: ReadonlyMap<string, unknown>, name: string): unknown {
  const bytes = parts.get(name.replace(/_hex$/, "Bytes"));
  if (name.endsWith("_hex")) return bytes instanceof Uint8Array ? Buffer.from(bytes).toString("hex") : null;
  const part = parts.get(name) ?? null;
  if (part instanceof Uint8Array) return decoder.decode(part);
  return name === "flags" && Array.isArray(part) ? [...part].sort() : part;
}

/** null in a case means null or absent; parts that a case does not name are not compared. */
export function expectParsed(one: ParseCase, parsed: { ok: boolean }, label: string): void {
  expect(parsed.ok, label).toBe(one.expect !== null);
  if (one.reason !== undefined) expect(parsed, label).toMatchObject({ code: one.reason });
  const parts = new Map<string, unknown>(Object.entries(parsed));
  for (const [name, value] of Object.entries(one.expect ?? {})) {
    const wanted = name === "flags" && Array.isArray(value) ? [...value].sort() : value;
    expect(partOf(parts, name), `${label}: ${name}`).toEqual(wanted);
  }
}
