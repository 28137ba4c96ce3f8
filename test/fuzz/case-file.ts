// Failures as files, from which they are tried again: `npm run fuzz -- --case FILE`.
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Trial } from "./target.ts";

/** A trial that failed, and how it came about. */
export interface Finding extends Trial {
  readonly target: string;
  readonly seed: number;
  /** Number of the trial among those of the seed. */
  readonly number: number;
  readonly failure: string;
}

/** Most of a failure that is written. */
const FAILURE_LENGTH_MAX = 2000;

/** Writes a finding to a file in `folder`, and returns its path. */
export function writeCase(folder: string, { target, seed, number, failure, bytes, given }: Finding): string {
  const name = `${target}-${createHash("sha256").update(bytes).update(JSON.stringify(given)).digest("hex").slice(0, 12)}.json`;
  const written = {
    target,
    seed,
    number,
    failure: failure.slice(0, FAILURE_LENGTH_MAX),
    given,
    // The text is for people; the bytes are what is tried.
    text: bytes.toString("latin1"),
    base64: bytes.toString("base64"),
  };
  mkdirSync(folder, { recursive: true });
  const path = join(folder, name);
  writeFileSync(path, `${JSON.stringify(written, null, 2)}\n`);
  return path;
}

/** Reads a finding from its file. */
export function readCase(path: string): Finding {
  const { base64, ...finding } = JSON.parse(readFileSync(path, "utf8"));
  return { ...finding, bytes: Buffer.from(base64, "base64") };
}
