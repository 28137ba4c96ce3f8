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
  tag?: string;
  attribute?: string;
  text?: string;
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

/** One line of the file, told apart by `op`. */
export type Case = Common &
  (
    | { op: "extract"; expect: ExpectedMatch[]; rejected: Record<string, number> | undefined }
    | { op: "normalize"; profile: string; expect: string | null; reason: string | undefined }
    | { op: "parse"; expect: Record<string, unknown> | null; reason: string | undefined }
    | { op: "resolve"; base: string; expect: string | null }
    | { op: "decode"; expect: string | null; expect_hex: string | undefined }
    | { op: "encode"; set: string; expect: string }
  );

const ORACLE_LACKS = ["stripFragment", "sortQuery", "stripTracking", "stripWww", "unwrap", "userinfo", "defang", "whatwg", "surt", "cdx"];

/** Whether the oracle runs a case: it has no options of N10 but the flag of C142, and no profiles that are made of strings. */
export function isOfOracle(one: Case): boolean {
  if (one.op === "extract" && one.options.unwrap !== undefined) return true;
  if (one.op === "normalize" && one.options.refang !== undefined) return false;
  return !ORACLE_LACKS.some((name) => one.options[name] !== undefined || (one.op === "normalize" && one.profile === name));
}

/** Every case of a file, in its order. */
export function readCases(file: string | URL = new URL("cases.jsonl", import.meta.url)): Case[] {
  const text = readFileSync(file, "utf8");
  return text
    .trimEnd()
    .split("\n")
    .map((line) => {
      const read = JSON.parse(line);
      const bytes = read.input_hex === undefined ? Buffer.from(read.input) : Buffer.from(read.input_hex, "hex");
      return { ...read, bytes, input: bytes.toString(), options: read.options ?? {} };
    });
}
