// A core is used for one source after the other, and a source may be left in the middle of anything: the next one must not notice.
import { describe, expect, it } from "vitest";
import { type Core, loadCore } from "../../src/core/core.ts";
import type { MatchBatch } from "../../src/matches/batch.ts";
import { Match } from "../../src/matches/match.ts";
import type { SourceType } from "../../src/options/options.ts";
import { Scanner } from "../../src/scan/scanner.ts";
import { scanOptions } from "../core/builds.ts";
import { sinkOf } from "../output/sinks.ts";

const latin1 = (text: string): Buffer => Buffer.from(text, "latin1");
const utf16 = (text: string): string => Buffer.from(text, "utf16le").swap16().toString("latin1");
const base64 = (text: string): string => latin1(text).toString("base64");
const FROM_LINE = "From a@b.example Fri Jan  5 10:11:12 1996\n";
const RECORD = "WARC/1.0\nWARC-Type: response\nContent-Length: 500\n\nHTTP/1.1 200 OK\n";
const CHUNKED = "Transfer-Encoding: chunked\nContent-Type: text/html\n\n";

/** Sources that end in the middle of something, by what that is. */
const ABANDONED: readonly (readonly [what: string, type: Exclude<SourceType, "auto">, text: string])[] = [
  ["a field", "eml", "Message-ID: <1@b.example>\nSubject: http://a.example/"],
  ["a long field", "eml", `Subject: ${"x".repeat(70_000)}`],
  ["a header that is quoted", "mbox", `${FROM_LINE}Content-Type: message/rfc822\n\n>From x\nFrom: y`],
  ["a multipart", "eml", "Content-Type: multipart/digest; boundary=b\n\n--b\nA: b\n\nFrom: c\n\nhttp://a.example/"],
  ["base64", "eml", `Content-Transfer-Encoding: base64\n\n${base64("http://a.example/xy").slice(0, -2)}`],
  ["quoted-printable", "eml", "Content-Transfer-Encoding: quoted-printable\n\nhttp://a.example/=3"],
  ["UTF-16", "eml", `Content-Type: text/plain; charset=utf-16\n\n\xff\xfeh\0t\0t\0p`],
  ["half a pair of UTF-16", "eml", `Content-Type: text/plain; charset=utf-16\n\n\xfe\xff${utf16("http://a.example/")}\xd8`],
  ["a flowed line", "eml", "Content-Type: text/plain; format=flowed; delsp=yes\n\n>> http://a.example/ "],
  ["a digest in a text", "eml", `Subject: x\n\nx\n\n${"-".repeat(30)}\n\nFrom: y\nContent-Type: text/html\n`],
  ["a doubtful From_ line", "mbox", `${FROM_LINE}A: b\n\nx\n${FROM_LINE}`],
  ["a uuencoded block", "eml", "Subject: x\n\nbegin 644 x\nM"],
  ["a yEnc block", "eml", "Subject: x\n\n=ybegin line=128\nabc\n=yend"],
  ["a body of known length", "mbox", `${FROM_LINE}Content-Length: 400\n\nhttp://a.example/`],
  ["a chunk", "warc", `${RECORD}${CHUNKED}40\n<a href="http://a.example/`],
  ["a line with the length of a chunk", "warc", `${RECORD}${CHUNKED}4\nabcd\n1`],
  ["a compressed body", "warc", `${RECORD}Content-Encoding: gzip\n\n\x1f\x8b\b`],
  ["the header of a record", "warc", "WARC/1.0\nWARC-Type: response\nContent-Ty"],
  ["text between records", "warc", "WARC/1.0\nContent-Length: 0\n\n\nnone http://a.example/"],
  ["an article", "news", "#! rnews 400\nSubject: x\n\nhttp://a.example/"],
  ["a tag", "html", '<script src="http://a.example/'],
  ["a script", "html", "<script>http://a.example/ &lt;"],
  ["a comment", "html", "<!-- http://a.example/ --"],
  ["a string of JSON", "json", '{"a":{"b":["http://a.example/\\u00'],
  ["JSON in a message", "eml", 'Content-Type: application/json\n\n{"a":{"b":"http://a.example/\\'],
  ["a page in a message", "eml", "Content-Type: text/html\n\n<style>http://a.example/"],
];

const NEXT: readonly (readonly [type: Exclude<SourceType, "auto">, text: string])[] = [
  [
    "mbox",
    `http://b.example/\n\n${FROM_LINE}Content-Length: 5\nSubject: =?utf-8?B?${base64("http://b.example/q")}?=\n\n>From http://c.example/\n`,
  ],
  ["eml", "Content-Type: text/html\n\n<a href='http://b.example/?x&amp;y'>"],
  ["eml", `Content-Transfer-Encoding: base64\n\n${base64("see http://b.example/x")}`],
  ["eml", "Content-Type: text/plain; format=flowed; delsp=yes\n\nhttp://b.example/ \nx"],
  ["eml", `Content-Type: text/plain; charset=utf-16\n\n${utf16("http://b.example/é")}`],
  ["warc", `${RECORD}${CHUNKED}a\nhttp://b.e\n7\nxample/\n0\n\n`],
  ["news", "#! rnews 30\nSubject: x\n\nhttp://b.example/\nhttp://c.example/"],
  ["xml", "<news:a><style>http://b.example/?x&amp;y</style>"],
  ["html", "http://b.example/?x&amp;y <b title=http://c.example/>"],
  ["json", '["http://b.example/", {"\\u0061":"http:\\/\\/c.example"}]'],
  ["text", "<http://b.example/> &lt;http://c.example/"],
];

function scannerOf(core: Core, type: Exclude<SourceType, "auto">, found: string[]): Scanner {
  const matches = (batch: MatchBatch): void => {
    for (let index = 0; index < batch.count; index++) found.push(JSON.stringify(new Match(batch, index)));
  };
  const options = scanOptions({ type: type as "text" }, "matches");
  return new Scanner(core, options, sinkOf({ matches }));
}

function scanWith(core: Core, type: Exclude<SourceType, "auto">, text: string): { found: string[]; archive: readonly number[] } {
  const found: string[] = [];
  const scanner = scannerOf(core, type, found);
  scanner.write(latin1(text));
  scanner.end();
  return { found, archive: scanner.counts.archive };
}

describe.each(["simd", "javascript"] as const)("%s", (build) => {
  it("finds the same on a fresh core and on one whose last source was left in the middle", async () => {
    const fresh = await Promise.all(NEXT.map(async ([type, text]) => scanWith(await loadCore(build), type, text)));
    for (const { found } of fresh) expect(found).not.toEqual([]);
    const core = await loadCore(build);
    for (const [what, abandoned, start] of ABANDONED) {
      for (const [index, [type, text]] of NEXT.entries()) {
        scannerOf(core, abandoned, []).write(latin1(start));
        expect(scanWith(core, type, text), `${type} after ${what}`).toEqual(fresh[index]);
      }
    }
  });
});
