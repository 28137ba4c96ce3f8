// The list of rejected candidates and omissions of an archive is the same, and in the order of the source, however the source is cut.
import fc from "fast-check";
import { expect, it } from "vitest";
import type { Omission, OmissionCounts } from "../../src/base/omission.ts";
import { rejectedLines } from "../../src/output/rejected.ts";
import { readingStart } from "../../src/scan/range.ts";
import type { ScanRange } from "../../src/scan/scan.ts";
import { Scanner } from "../../src/scan/scanner.ts";
import { BUILDS, type Build, coreOf, feed, scanOptions } from "../core/builds.ts";
import { sinkOf } from "../output/sinks.ts";

const FROM = "From a@b.example Fri Jan  5 10:11:12 1996\n";
/** Parts of a message: what is left out, what is rejected, what is neither. */
const bodies = fc.constantFrom(
  "begin 644 x\n#86)C\n`\nend\n",
  "=ybegin line=1 size=1 name=x\nabc\n=yend size=1\n",
  "http://:1/ and http://a.example/\n",
  "news:nobody\n",
  "<http://:3/ x\n",
  "<http://a.example/ x\n<news:x\n",
  `${"words ".repeat(300)}\n`,
);
const headers = fc.constantFrom(
  "",
  "Content-Type: message/rfc822\nContent-Transfer-Encoding: base64\n",
  "Content-Type: multipart/mixed\n",
  `X: ${"long ".repeat(14_000)}\n`,
  "X: http://:2/\n",
);
const message = fc.tuple(fc.nat(999), headers, headers, fc.array(bodies, { maxLength: 5 }));
const archives = fc.array(message, { minLength: 1, maxLength: 8 }).map((messages) => {
  const texts = messages.map(([id, first, second, parts]) => {
    return `${FROM}Date: x\n${first}Message-ID: <${id}@mill.example>\n${second}\n${parts.join("")}\n`;
  });
  return Buffer.from(texts.join(""));
});

interface Listed {
  list: string[];
  counts: OmissionCounts;
}

function listOf(build: Build, bytes: Uint8Array, nested: boolean, cuts: readonly number[], range?: ScanRange): Listed {
  const list: string[] = [];
  const sink = sinkOf({ rejected: (batch) => void list.push(...rejectedLines(batch).split("\n").slice(0, -1)) });
  const options = { ...scanOptions({ type: "mbox", nested }, "matches"), rejected: true };
  const scanner = new Scanner(coreOf(build), options, sink, range);
  feed(scanner, bytes, cuts, range?.offset ?? 0);
  return { list, counts: scanner.counts.omitted };
}

it.each(BUILDS)("%s", (build) => {
  let omissions = 0;
  const property = fc.property(
    archives,
    fc.boolean(),
    fc.array(fc.nat(4000), { maxLength: 40 }),
    fc.nat(),
    (bytes, nested, steps, border) => {
      const whole = listOf(build, bytes, nested, []);
      const starts = whole.list.map((line) => (JSON.parse(line) as Omission).start ?? 0);
      expect(starts).toEqual([...starts].sort((a, b) => a - b));
      const counted = Object.values(whole.counts).reduce((sum, { count }) => sum + count, 0);
      expect(whole.list.filter((line) => line.includes('"message_id"'))).toHaveLength(counted);
      omissions += counted;
      let at = 0;
      const cuts = steps.map((step) => (at += step + 1));
      expect(listOf(build, bytes, nested, cuts)).toEqual(whole);
      const middle = border % bytes.length;
      const part = (from: number, to: number): Listed => {
        const range = { from, to, byMessage: true };
        return listOf(build, bytes, nested, cuts, {
          ...range,
          offset: readingStart("mbox", range, { urlBytesMax: 16384, context: 0, asked: [], charset: "utf-8", refang: false }),
        });
      };
      expect([...part(0, middle).list, ...part(middle, bytes.length).list]).toEqual(whole.list);
    },
  );
  fc.assert(property, { numRuns: 60, seed: 12 });
  expect(omissions).toBeGreaterThan(100);
});
