// Archives through the command: recognized, taken apart, the same on any number of threads; and the examples of docs/archives.md.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { tar, zip } from "../input/archives.ts";
import { newFolder, removeFolder, run } from "./run.ts";

const root = resolve(import.meta.dirname, "../..");
let folder: string;

beforeAll(() => {
  folder = newFolder();
});
afterAll(() => removeFolder(folder));

/** A message of a maildir. */
const letter = (number: number): string =>
  `From: a@mill.example\nSubject: =?utf-8?Q?n=C2=B0${number}?=\nDate: Mon, 2 Jan 2006 15:04:0${number} -0700\n` +
  `Message-ID: <m${number}@mill.example>\n\nhttp://m${number}.example/\n`;

async function records(args: readonly string[], input?: Uint8Array): Promise<Record<string, unknown>[]> {
  const { stdout, stderr } = await run(["-f", "ndjson", ...args], { cwd: folder, ...(input === undefined ? {} : { input }) });
  expect(stderr).toBe("");
  return stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
}

describe("docs/archives.md", () => {
  const page = readFileSync(join(root, "docs/archives.md"), "utf8");
  const examples = [...page.matchAll(/^\$ npx urlmill (.*)\n((?:(?!\$ |```).*\n)+)/gm)].map(
    ([, args = "", output = ""]) => [args, output] as const,
  );

  it("has examples", () => expect(examples.length).toBeGreaterThan(1));

  it.each(examples)("urlmill %s", async (args, output) => {
    const { stdout, code } = await run(args.split(" "), { cwd: root });
    expect({ stdout, code }).toEqual({ stdout: output, code: 0 });
  });
});

describe("sources", () => {
  it("a maildir, and the same in an archive", async () => {
    mkdirSync(join(folder, "md/cur"), { recursive: true });
    for (const number of [1, 2, 3]) writeFileSync(join(folder, `md/cur/${number}`), letter(number));
    const expected = [1, 2, 3].map((number) => ({
      url: `http://m${number}.example/`,
      message_id: `m${number}@mill.example`,
      date: `2006-01-02T22:04:0${number}Z`,
      part: "1",
      where: "body",
    }));
    expect(await records(["md"])).toMatchObject(expected);
    const files = [1, 2, 3].map((number) => ({ name: `md/cur/${number}`, text: letter(number) }));
    writeFileSync(join(folder, "md.tar.gz"), gzipSync(tar(files)));
    writeFileSync(join(folder, "md.zip"), zip(files));
    for (const name of ["md.tar.gz", "md.zip"]) {
      const inside = expected.map((record, index) => ({ ...record, source: `${name}!md/cur/${index + 1}` }));
      for (const threads of ["1", "2"]) expect(await records(["-j", threads, name])).toMatchObject(inside);
    }
    expect(await records([], readFileSync(join(folder, "md.zip")))).toMatchObject([{ source: "-!md/cur/1" }, {}, {}]);
  });

  it("--fields says which fields there are, in which order", async () => {
    writeFileSync(join(folder, "one.eml"), letter(1));
    const { stdout } = await run(["-f", "ndjson", "--fields", "subject,url,list_id,from", "one.eml"], { cwd: folder });
    expect(stdout).toBe('{"subject":"n°1","url":"http://m1.example/","from":"a@mill.example"}\n');
  });

  it("a date that is not of Date is marked, and --since and --until go by it (C163)", async () => {
    const received = "Received: from a;\n by b; Mon, 25 Nov 2019 09:00:00 +0100\nReceived: c; Sun, 24 Nov 2019 09:00:00 +0100\n";
    const dated = `From joe Tue Nov 26 10:00:00 2019\n${received}Date: 02-07-2024\n\nhttp://l.example/\n`;
    const sent = "From lore@z Thu Jan  1 00:00:00 1970\nDate: Wed, 27 Nov 2019 10:00:00 -0000\nTo: x\n\nhttp://s.example/\n";
    const others = `From - Thu Jan  1 00:00:00 1970\n${received}\nhttp://r.example/\n\nFrom \nTo: x\n\nhttp://n.example/\n`;
    writeFileSync(join(folder, "dates.mbox"), `${dated}\n${sent}\n${others}`);
    const rows = [
      "url,date,date_source",
      "http://l.example/,2019-11-26T10:00:00Z,from-line",
      "http://s.example/,2019-11-27T10:00:00Z,",
      "http://r.example/,2019-11-25T08:00:00Z,received",
      "http://n.example/,,",
    ];
    const csv = ["-f", "csv", "--fields", "url,date,date_source", "dates.mbox"];
    const lines = async (args: string[]): Promise<string[]> => (await run([...args, ...csv], { cwd: folder })).stdout.trim().split(/\r?\n/);
    expect(await lines([])).toEqual(rows);
    expect(await lines(["--since", "2019-11-26"])).toEqual(rows.slice(0, 3));
    expect(await lines(["--until", "2019-11-25"])).toEqual([rows[0], rows[3]]);
    expect(await records(["dates.mbox"])).toMatchObject([{ date_source: "from-line" }, {}, { date_source: "received" }, {}]);
  });

  it("--type text reads an archive as it lies, --parts all what else is in it", async () => {
    const image = `Content-Type: image/gif\nContent-Transfer-Encoding: base64\n\n${btoa("GIF http://gif.example/")}\n`;
    const mixed = `${letter(1).replace("\n\n", '\nContent-Type: multipart/mixed; boundary="b"\n\n')}--b\n${image}--b--\n`;
    writeFileSync(join(folder, "mixed.eml"), mixed);
    expect(await records(["-q", "mixed.eml"])).toMatchObject([{ where: "preamble" }]);
    expect(await records(["--parts", "all", "mixed.eml"])).toMatchObject([
      { where: "preamble" },
      { url: "http://gif.example/", part: "1" },
    ]);
    const text = await records(["--type", "text", "mixed.eml"]);
    expect(text).toHaveLength(1);
    expect(text[0]).not.toHaveProperty("where");
  });

  it("limits that are reached are named, and the rest is read", async () => {
    const multipart = (depth: number): string => `Content-Type: multipart/mixed; boundary=b${depth}\n\n--b${depth}\n`;
    const deep = Array.from({ length: 100 }, (_, depth) => multipart(depth)).join("");
    writeFileSync(join(folder, "deep.eml"), `From: a\nSubject: x\n${deep}\nhttp://deep.example/\n`);
    writeFileSync(join(folder, "long.eml"), `From: a\nSubject: x\nX: ${"long ".repeat(20_000)}\n\nhttp://body.example/\n`);
    const message =
      "urlmill: read as plain text: 1 multipart that is too deep (deep-multipart): deep.eml, byte " +
      `${"From: a\nSubject: x\n".length + deep.indexOf("--b32\n")}\n` +
      "urlmill: encoded words not decoded after 64 KiB: 1 header field (long-field): long.eml, byte 19\n";
    const { stdout, stderr, code } = await run(["deep.eml", "long.eml"], { cwd: folder });
    expect({ stdout, stderr, code }).toEqual({ stdout: "http://deep.example/\nhttp://body.example/\n", stderr: message, code: 0 });
    expect((await run(["-q", "deep.eml"], { cwd: folder })).stderr).toBe("");
  });

  it("bodies that are not decoded are named", async () => {
    const body = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Encoding: gzip\r\n\r\n\x1fhttp://hidden.example/\r\n";
    const type = "WARC-Type: response\r\nContent-Type: application/http; msgtype=response";
    writeFileSync(join(folder, "encoded.warc"), `WARC/1.0\r\n${type}\r\nContent-Length: ${body.length}\r\n\r\n${body}\r\n\r\n`);
    const at = body.indexOf("\x1f") + `WARC/1.0\r\n${type}\r\nContent-Length: ${body.length}\r\n\r\n`.length;
    const stderr = `urlmill: not fully read: 1 body (encoded-body): encoded.warc, byte ${at}\n`;
    expect(await run(["encoded.warc"], { cwd: folder })).toMatchObject({ stdout: "", stderr, code: 1 });
    expect((await run(["-q", "encoded.warc"], { cwd: folder })).stderr).toBe("");
  });

  it("what a message says of itself is cut, and quote marks far before a match do not count", async () => {
    const header = `From: a\nSubject: ${"s".repeat(3000)}\nMessage-ID: <${"m".repeat(3000)}@mill.example>`;
    const lines = `> ${"x ".repeat(490)}http://near.example/\n> ${"x ".repeat(510)}http://far.example/\n`;
    writeFileSync(join(folder, "cut.eml"), `${header}\n\n${lines}`);
    const [near, far] = await records(["--fields", "subject,message_id,quote", "cut.eml"]);
    const lengths = [near?.subject, near?.message_id].map((field) => String(field).length);
    expect([lengths[0], (lengths[1] ?? 0) <= 2048]).toEqual([2048, true]);
    expect([near?.quote, far?.quote]).toEqual([1, undefined]);
  });

  it("--stats tells of messages and of what was skipped", async () => {
    const { stderr } = await run(["-q", "--stats", join(root, "examples/letter.eml")]);
    expect(JSON.parse(stderr)).toMatchObject({
      left_out: { attachment: 1 },
      messages: 1,
      parts_skipped: 1,
      bytes_skipped: 48,
      doubtful: 0,
      limits: { yenc: 0 },
    });
  });

  it("WARC, compressed record by record", async () => {
    const record = (type: string, content: string, block: string): string =>
      `WARC/1.0\r\nWARC-Type: ${type}\r\nWARC-Target-URI: http://page.example/${type}\r\nWARC-Date: 2021-03-04T05:06:07Z\r\n` +
      `Content-Type: ${content}\r\nContent-Length: ${Buffer.byteLength(block)}\r\n\r\n${block}\r\n\r\n`;
    const page = "<a href='http://x.example/?a&amp;b'>x</a>";
    const response = `HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nLink: <http://l.example/>\r\n\r\n${page}`;
    const chunked =
      "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nTransfer-Encoding: chunked\r\n\r\n8\r\nhttp://c\r\n9\r\n.example/\r\n0\r\n\r\n";
    const encoded = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Encoding: gzip\r\n\r\n\x1fhttp://no.example/";
    const all = [
      record("warcinfo", "application/warc-fields", "software: http://no.example/"),
      record("request", "application/http", "GET / HTTP/1.1\r\nReferer: http://no.example/\r\n\r\n"),
      record("response", "application/http; msgtype=response", response),
      record("response", "application/http", chunked),
      record("response", "application/http", encoded),
      record("resource", "image/png", "PNG http://no.example/"),
      record("conversion", "text/plain", "see http://t.example/"),
    ];
    writeFileSync(join(folder, "crawl.warc.gz"), Buffer.concat(all.map((one) => gzipSync(one))));
    writeFileSync(join(folder, "crawl.warc"), all.join(""));
    const expected = [
      { url: "http://l.example/", where: "header:Link", target_uri: "http://page.example/response", date: "2021-03-04T05:06:07Z" },
      { url: "http://x.example/?a&b", where: "html" },
      { url: "http://c.example/", where: "body" },
      { url: "http://t.example/", where: "body", target_uri: "http://page.example/conversion" },
    ];
    const plain = await records(["-q", "crawl.warc"]);
    expect(plain).toMatchObject(expected);
    const source = Buffer.from(all.join(""));
    const slices = plain.map(({ start, end }) => source.subarray(start as number, end as number).toString());
    expect(slices).toEqual(["http://l.example/", "http://x.example/?a&amp;b", "http://c\r\n9\r\n.example/", "http://t.example/"]);
    expect((await records(["-q", "crawl.warc.gz"])).map((one) => ({ ...one, source: "crawl.warc" }))).toEqual(plain);
    const { stderr } = await run(["-q", "--stats", "crawl.warc"], { cwd: folder });
    expect(JSON.parse(stderr)).toMatchObject({ messages: 7, parts_skipped: 4, limits: { "encoded-body": 1 } });
  });

  it("what is broken is named, what stands before it and beside it is read", async () => {
    const whole = gzipSync(`http://before.example/ \n${Array.from({ length: 9999 }, (_, index) => index * 7919).join(" ")}`);
    writeFileSync(join(folder, "cut.gz"), whole.subarray(0, whole.length - 2000));
    const bad = zip([
      { name: "good", text: "http://good.example/" },
      { name: "bad", text: "http://bad.example/", sum: 1 },
      { name: "last", text: "http://last.example/" },
    ]);
    writeFileSync(join(folder, "bad.zip"), bad);
    for (const threads of ["1", "2"]) {
      const { stdout, stderr, code } = await run(["-j", threads, "cut.gz", "bad.zip", "one.eml"], { cwd: folder });
      expect(code).toBe(2);
      expect(stderr).toContain("cut.gz: ");
      expect(stderr).toContain("bad.zip!bad: ");
      expect(stdout).toContain("http://before.example/\nhttp://good.example/\n");
      expect(stdout).toContain("http://last.example/\nhttp://m1.example/\n");
    }
  });
});
