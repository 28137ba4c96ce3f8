// The oracle of mail: the worked cases, and what must hold of any source (A1 to A9, A13, A14), whoever implements the rules.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { check, expectEqual } from "../core/check.ts";
import { extractMail, type MailOptions, readMail, type Segment } from "../oracle/mail/index.ts";
import { readMailCases } from "../vectors/mail-cases.ts";
import { mailReadings, mailSources, mboxes } from "./pieces.ts";

const SEPARATOR = "\x01".repeat(4);
const LINES = `--[^\\n]*(?:\\n|$)|-{30}\\r?\\n|${SEPARATOR}\\r?(?:\\n|$)|#! rnews [^\\n]*(?:\\n|$)`;
const STRUCTURE = new RegExp(`^(?:\\xef\\xbb\\xbf)?(?:[ \\t]*\\r?\\n|${LINES}|\\d{1,10} *\\r?\\n|>|\\.)*$`);

const label = (bytes: Uint8Array, given: MailOptions): string => JSON.stringify([Buffer.from(bytes).toString("latin1"), given]);

/** A segment `offset` bytes further on in the source, as one of the message `message`. */
const movedBy = (segment: Segment, offset: number, message: number): Segment => {
  const move = (at: number): number => at + offset;
  return { ...segment, starts: segment.starts.map(move), ends: segment.ends.map(move), message };
};

describe("the worked cases of mail", () => {
  it.each(readMailCases().map((one) => [`${one.id}: ${one.note}`, one] as const))("%s", (_, one) => {
    const found = extractMail(one.bytes, one.options).map(({ raw, start, end, where, part, message, quote }) => {
      return { raw, start, end, where, part, message, quote };
    });
    expect(found).toEqual(one.matches);
    const { counts } = readMail(one.bytes, one.options);
    expect(counts).toEqual({ ...counts, ...one.counts, messages: one.messages });
  });
});

const IS_ENCODED = /begin:v|dn: |utf-16|base64|\?b\?|quoted|\?q\?|^\xff\xfe/i;

/** Segments are in the source's order and do not overlap, except for those of one encoded message; their bytes are in order. */
function expectOrdered(source: Buffer, segments: readonly Segment[], shown: () => string): void {
  let [first, floor] = [0, 0];
  for (const { starts, ends, bytes } of segments) {
    const isOfSame = starts[0] === first && ends[0] === floor;
    if (starts.length !== bytes.length || ((starts[0] ?? 0) < floor && !isOfSame)) expect.fail(shown());
    first = starts[0] ?? 0;
    for (let at = 0; at < bytes.length; at++) {
      // Spans may share bytes: those of one group of base64 do.
      const [start, end] = [starts[at] ?? 0, ends[at] ?? 0];
      if (end <= start || start < (starts[at - 1] ?? 0) || end < (ends[at - 1] ?? 0)) expect.fail(shown());
    }
    floor = ends[bytes.length - 1] ?? 0;
    if (floor > source.length) expect.fail(shown());
  }
}

/** Bytes that are not encoded are given unchanged, and only structure is left out. */
function expectComplete(source: Buffer, segments: readonly Segment[], isSkipped: boolean, shown: () => string): void {
  const text = source.toString("latin1");
  if (IS_ENCODED.test(text)) return;
  const left = Array.from(text);
  for (const { starts, ends, bytes } of segments) {
    if (!starts.every((start, at) => ends[at] === start + 1 && source[start] === bytes[at])) expect.fail(shown());
    for (const start of starts) left[start] = "\0";
  }
  // A byte of no segment is skipped and counted, or is structure. DelSp leaves out text between two lines.
  if (isSkipped || /delsp/i.test(text)) return;
  const unread = left.join("").split(/\0+/);
  expectEqual(
    unread.filter((run) => !STRUCTURE.test(run)),
    [],
    shown,
  );
}

describe("the oracle of mail on any source", () => {
  it("gives segments in order, leaves out structure alone, and reaches all kinds of parts and limits", () => {
    const reached = new Set<string>();
    check(2500, fc.tuple(mailSources, mailReadings), ([source, given]) => {
      const { segments, counts } = readMail(source, given);
      const shown = (): string => label(source, given);
      expectOrdered(source, segments, shown);
      if (given.charset === "utf-8") expectComplete(source, segments, counts.bytesSkipped > 0, shown);
      for (const name of Object.keys(counts.limits)) reached.add(name);
      if (counts.doubtful > 0) reached.add("doubtful");
      if (counts.partsSkipped > 0) reached.add("skipped");
      for (const { where, part } of segments)
        reached.add((where ?? "none").replace(/:.*/, "")).add(`depth ${(part ?? "").split(".").length}`);
    });
    const wanted = ["no-boundary", "uuencode", "yenc", "doubtful", "skipped"];
    expect([...reached]).toEqual(expect.arrayContaining([...wanted, "none", "header", "body", "html", "preamble", "epilogue", "depth 3"]));
  });

  it("reads a message of an mbox as it reads that message alone", () => {
    check(500, fc.tuple(mboxes, mailReadings), ([source, given]) => {
      const options: MailOptions = { ...given, type: "mbox", mbox: given.mbox === "cl" ? "rd" : given.mbox };
      const whole = readMail(source, options);
      const alone = whole.messages.map(({ start, end }) => readMail(source.subarray(start, end), options));
      const moved = alone.flatMap(({ segments }, index) => {
        return segments.map((segment) => movedBy(segment, whole.messages[index]?.start ?? 0, index + 1));
      });
      const wanted = whole.segments.filter(({ message }) => message > 0);
      expectEqual(moved, wanted, () => label(source, options));
      expect(alone.map(({ counts }) => counts.messages)).toEqual(alone.map(() => 1));
      expect(alone.reduce((sum, { counts }) => sum + counts.bytesSkipped, 0)).toBe(whole.counts.bytesSkipped);
    });
  });

  it("gives matches in order, inside their message", () => {
    check(600, fc.tuple(mailSources, mailReadings), ([source, given]) => {
      const { messages } = readMail(source, given);
      let floor = 0;
      for (const { start, end, message, where } of extractMail(source, given)) {
        const within = messages[message - 1] ?? { start: 0, end: source.length };
        const isInside = start >= Math.max(floor, within.start) && end <= within.end;
        if (!isInside || message > 0 !== (where !== null)) expect.fail(label(source, given));
        floor = start;
      }
    });
  });
});
