// Reads test/vectors/cases.jsonl. The form of a case is told in test/vectors/README.md.
import { readFileSync } from "node:fs";

/** A match as a case gives it; what is absent is not compared. */
export interface ExpectedMatch {
  url: string | null;
  raw?: string;
  start: number;
  end: number;
  kind?: string;
  flags?: string[];
  reason?: string;
}

interface Common {
  id: string;
  rule: string;
  /** The bytes of `input` or `input_hex`. */
  bytes: Buffer;
  input: string;
  options: Record<string, unknown>;
  note: string | undefined;
}

/** One line of the file, told apart by `op`; the operations that no test runs are `other`. */
export type Case = Common &
  (
    | { op: "extract"; expect: ExpectedMatch[]; rejected: Record<string, number> | undefined }
    | { op: "normalize"; profile: string; expect: string | null; reason: string | undefined }
    | { op: "parse"; expect: Record<string, unknown> | null; reason: string | undefined }
    | { op: "other" }
  );

/** Options that are not built yet: cases that use one of them are skipped by name. */
export const OPTIONS_NOT_BUILT = ["anyScheme", "schemes", "nested", "bare", "type", "stripFragment", "sortQuery", "stripTracking"].concat([
  "stripWww",
  "unwrap",
  "userinfo",
]);

/** Profiles that are not built yet. */
export const PROFILES_NOT_BUILT = ["rfc1738", "whatwg", "surt"];

/** Why a case is not run yet, or null. Parts of single schemes (P1 to P9) and P10, P11 are not built yet either. */
export function notBuilt(one: Case): string | null {
  if (one.op === "other") return "operation";
  const option = OPTIONS_NOT_BUILT.find((name) => one.options[name] !== undefined);
  if (option !== undefined) return `option ${option}`;
  if (one.op === "normalize" && PROFILES_NOT_BUILT.includes(one.profile)) return `profile ${one.profile}`;
  if (one.op === "parse" && one.rule !== "P0") return `parts of ${one.rule}`;
  return null;
}

/** Every case of the file, in its order. */
export function readCases(): Case[] {
  const text = readFileSync(new URL("vectors/cases.jsonl", import.meta.url), "utf8");
  return text
    .trimEnd()
    .split("\n")
    .map((line) => {
      const read = JSON.parse(line);
      const bytes = read.input_hex === undefined ? Buffer.from(read.input) : Buffer.from(read.input_hex, "hex");
      const op = ["extract", "normalize", "parse"].includes(read.op) ? read.op : "other";
      return { ...read, op, bytes, input: bytes.toString(), options: read.options ?? {} };
    });
}
