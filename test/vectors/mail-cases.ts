// Reads test/vectors/mail.jsonl. The form of a case is told in test/vectors/README.md.
import { readFileSync } from "node:fs";
import type { MailCounts, MailMatch, MailOptions } from "../oracle/mail/index.ts";

/** One line of the file. */
export interface MailCase {
  id: string;
  rule: string;
  note: string;
  bytes: Buffer;
  options: MailOptions;
  /** Every match; what a case leaves out is null, `message` 0. */
  matches: Pick<MailMatch, "raw" | "start" | "end" | "where" | "part" | "message" | "quote">[];
  messages: number;
  /** Some of the counts; those that are absent are not compared. */
  counts: Partial<MailCounts>;
}

/** Every case, in its order. */
export function readMailCases(): MailCase[] {
  const text = readFileSync(new URL("mail.jsonl", import.meta.url), "utf8");
  return text
    .trimEnd()
    .split("\n")
    .map((line) => {
      const { input, inputBase64, matches, counts = {}, ...rest } = JSON.parse(line);
      const bytes = inputBase64 === undefined ? Buffer.from(input, "latin1") : Buffer.from(inputBase64, "base64");
      const none = { where: null, part: null, message: 0, quote: null };
      return { ...rest, bytes, counts, matches: matches.map((match: object) => ({ ...none, ...match })) };
    });
}
