// The fields of a message are read in work that grows with their length (A10). The work is counted (test/counted/), not timed. The loops
// inside a regular expression are not counted; one that tries again and again would never reach the end of LONG bytes.
import { expect, it } from "vitest";
import { judgeEachByte, judgeGrowth, makeCounter, type Work } from "../counted/growth.ts";
import { loadCountingScript } from "../counted/script.ts";

const { script, count, core } = makeCounter("javascript", await loadCountingScript());
const SIZE = 1 << 16;
const LONG = 1 << 19;

const bytes = (binary: string): Uint8Array => Buffer.from(binary, "latin1");
const LEADS = ["", "28 Mar 1994 ", "28 Mar 15:09 "];

const describer = new script.Describer(new Set(["message_id", "list_id", "date", "from", "from_address", "subject", "newsgroups"]));

function describeAll(text: string): void {
  const field = bytes(text);
  const names = ["message-id", "list-id", "date", "from", "subject", "newsgroups"];
  describer.describe(new script.MessageHeader(new Map(names.map((name) => [name, field]))));
}

function judge(run: (text: string) => void, textOf: (size: number) => string): string[] {
  const workOf = (size: number): Work => {
    const text = textOf(size);
    return count(() => run(text));
  };
  run(textOf(LONG));
  const works = [workOf(SIZE / 4), workOf(SIZE / 2), workOf(SIZE)] as const;
  return [...judgeGrowth(works, SIZE, 0), ...judgeEachByte(core.build, works[2], SIZE)];
}

const repeat = (piece: string, size: number): string => piece.repeat(Math.ceil(size / piece.length));

it.each(["+", "(", "1 ", "a", "(a)", "\\(<", "12:", "- ", "GMT ", "EST5", "1.1:", "1", " ", "28 "])("a date of %j", (piece) => {
  const read = (text: string): void => void script.readMailDate(bytes(text));
  for (const lead of LEADS) expect(judge(read, (size) => lead + repeat(piece, size))).toEqual([]);
});

it.each(["=?", "=?a?q?", "=?a?q?x", "=?a?q??=", "=?a?b?YQ==?= ", "?=", " ", "a ", "\xe9", "=?a?q? ?= \xe9"])("text of %j", (piece) => {
  const read = (text: string): void => void script.decodeHeaderText(bytes(text));
  expect(judge(read, (size) => repeat(piece, size))).toEqual([]);
  expect(judge(read, (size) => `${repeat(piece, size)}?=`)).toEqual([]);
});

it.each([
  ["()<<<", (size: number): string => `()${"<".repeat(size)}`],
  ["<a<a", (size: number): string => repeat("<a", size)],
  ["<<>>", (size: number): string => "<".repeat(size / 2) + ">".repeat(size / 2)],
  ["()()", (size: number): string => repeat("()", size)],
  ["a,a,", (size: number): string => repeat("a,", size)],
] as const)("a message whose fields are %s", (_, textOf) => {
  expect(judge(describeAll, textOf)).toEqual([]);
});
