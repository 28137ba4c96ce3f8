// The worked cases of mail on the oracle of mail.
import { describe, expect, it } from "vitest";
import { readMailCases } from "./mail-cases.ts";
import { extractMail, readMail } from "./oracle/mail/index.ts";

describe("the oracle of mail", () => {
  it.each(readMailCases().map((one) => [`${one.id}: ${one.note}`, one] as const))("%s", (_, one) => {
    const found = extractMail(one.bytes, one.options).map(({ raw, start, end, where, part, message, quote }) => {
      return { raw, start, end, where, part, message, quote };
    });
    expect(found).toEqual(one.matches);
    const { counts } = readMail(one.bytes, one.options);
    expect(counts).toEqual({ ...counts, ...one.counts, messages: one.messages });
  });
});
