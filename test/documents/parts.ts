// How parts are compared.
import { expect } from "vitest";

/** Compares the parts that are named; null stands for null or absent, a text for bytes too. */
export function expectParts(found: object, named: Readonly<Record<string, unknown>>, label: string): void {
  const parts = new Map<string, unknown>(Object.entries(found));
  for (const [name, value] of Object.entries(named)) {
    const part = parts.get(name) ?? null;
    expect(part instanceof Uint8Array ? Buffer.from(part).toString() : part, `${label}: ${name}`).toEqual(value);
  }
}
