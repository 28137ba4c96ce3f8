// Fields that are read only if an option names them: parts of the URL, the folder, the list, and the signature.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  createExtractor,
  type ExtractFromOptions,
  ExtractStream,
  extract,
  extractFiles,
  extractFrom,
  extractWebStream,
  type MatchJson,
} from "../../src/index.ts";
import { FIELD_NAMES } from "../../src/options/fields.ts";
import { newFolder, removeFolder, run } from "../cli/run.ts";
import { zip } from "../input/archives.ts";

let folder: string;
beforeAll(() => {
  folder = newFolder();
});
afterAll(() => removeFolder(folder));

/** Returns the records of a text that is pushed in pieces of `size` bytes. */
async function recordsOf(text: string, fields: ExtractFromOptions["fields"], size = 1 << 20, options: ExtractFromOptions = {}) {
  const stream = new ExtractStream({ format: "ndjson", fields, type: "mbox", ...options });
  const bytes = Buffer.from(text);
  const pieces: Buffer[] = [];
  stream.on("data", (piece) => pieces.push(piece));
  const ended = new Promise((resolve, reject) => stream.on("end", resolve).on("error", reject));
  for (let at = 0; at < bytes.length; at += size) stream.write(bytes.subarray(at, at + size));
  stream.end();
  await ended;
  const lines = Buffer.concat(pieces).toString().trimEnd().split("\n");
  return lines.map((line): Record<string, unknown> => JSON.parse(line));
}

it.each([
  ["http://www.a.example/x/y.tar.GZ", "example", "gz", 2],
  ["http://a.co.uk/", "uk", undefined, 0],
  ["http://a.co.uk./a//b/", "uk", undefined, 2],
  ["http://192.0.2.7/v1.0", undefined, undefined, 1],
  ["http://3221225991/.profile", undefined, undefined, 1],
  ["http://[2001:db8::1]/a.htm?x=1.pdf#z.txt", undefined, "htm", 1],
  ["http://localhost/a.b_c", undefined, undefined, 1],
  ["ftp://f.example/pub/a.zip;type=i", "example", "zip", 2],
  ["file:///etc/a.conf", undefined, "conf", 2],
  ["mailto:joe@a.example", undefined, undefined, undefined],
])("parts of %s", async (url, tld, extension, depth) => {
  const [record] = await recordsOf(url, ["tld", "extension", "depth"], 100, { type: "text" });
  expect([record?.tld, record?.extension, record?.depth]).toEqual([tld, extension, depth]);
});

const message = (header: string, body: string): string =>
  `From a@a.example Mon Mar  1 10:00:00 2004\nFrom: a@a.example\n${header}\n\n${body}\n\n`;

/** A body part with these header fields and this text. */
const part = (fields: string, text: string): string => `--x\n${fields}\n\n${text}\n`;

it.each([1, 7, 1 << 20])("type and file name of body parts, in pieces of %i bytes (C323)", async (size) => {
  const body = [
    "http://preamble.example/",
    part("X: y", "http://untyped.example/"),
    part("Content-Type: text; name=a.txt", "http://half.example/"),
    part('Content-Disposition: attachment; filename=""\nContent-Type: text/plain; name=b.txt', "http://before.example/"),
    part('Content-Type: text/plain; name=b.txt\nContent-Disposition: attachment; filename=""', "http://behind.example/"),
    part("Content-Type: TEXT/Html; charset=utf-8", '<a href="http://html.example/">x</a>'),
    part('Content-Type: text/csv; name="=?utf-8?Q?caf=C3=A9.csv?="\nContent-Disposition: attachment', "http://csv.example/"),
    part("Content-Type: text/plain\nContent-Disposition: inline; filename*=utf-8''a%20b.txt", "http://named.example/"),
    part("Content-Type: message/rfc822", 'From: q@r.example\nContent-Type: application/json; name=j.json\n\n{"a":"http://json.example/"}'),
    part("Content-Type: application/octet-stream; name=bin.dat", "http://bytes.example/"),
    `${part("Content-Type: text/plain; name=last.txt", "http://last.example/")}--x--`,
    "http://epilogue.example/",
  ].join("\n");
  const text = message("Subject: http://subject.example/\nContent-Type: multipart/mixed; boundary=x", body);
  const records = await recordsOf(text, ["host", "part_type", "attachment"], size, { parts: "all" });
  expect(records.map(({ host, part_type, attachment }) => [host, part_type, attachment])).toEqual([
    ["subject.example", undefined, undefined],
    ["preamble.example", undefined, undefined],
    ["untyped.example", undefined, undefined],
    ["half.example", undefined, "a.txt"],
    ["before.example", "text/plain", "b.txt"],
    ["behind.example", "text/plain", "b.txt"],
    ["html.example", "text/html", undefined],
    ["csv.example", "text/csv", "café.csv"],
    ["named.example", "text/plain", "a b.txt"],
    ["json.example", "application/json", "j.json"],
    ["bytes.example", "application/octet-stream", "bin.dat"],
    ["last.example", "text/plain", "last.txt"],
    ["epilogue.example", undefined, undefined],
  ]);
  const [match] = extract(Buffer.from(text), { type: "mbox", parts: "all", fields: ["attachment"], match: "csv" });
  expect(match).toMatchObject({ partType: "text/csv", attachment: "café.csv" });
  expect(match?.toJSON()).toMatchObject({ part_type: "text/csv", attachment: "café.csv" });
});

it("what is in an attachment has its type and its file name, a message in it those of its own (C323)", async () => {
  const packed = zip([
    { name: "a.txt", text: "http://a.example/" },
    { name: "b.eml", text: "From: x@y.example\nSubject: z\nContent-Type: text/plain; name=inner.txt\n\nhttp://b.example/\n" },
    { name: "c.html", text: '<a href="http://c.example/">x</a>' },
  ]);
  const header = "Content-Type: application/zip; name=all.zip\nContent-Transfer-Encoding: base64";
  const text = message(`Subject: x\n${header}`, packed.toString("base64"));
  const records = await recordsOf(text, ["host", "part_type", "attachment"], 100, { parts: "all" });
  expect(records.map(({ host, part_type, attachment }) => [host, part_type, attachment])).toEqual([
    ["a.example", "application/zip", "all.zip"],
    ["b.example", "text/plain", "inner.txt"],
    ["c.example", undefined, undefined],
  ]);
});

it("a match has each field that `fields` names, with every function", async () => {
  const header = "To: b@b.example\nCc: c@c.example\nDate: Mon, 1 Mar 2004 10:00:00 +0000\nSubject: [wheels] x\nMessage-ID: <1@a.example>";
  const replies = "Newsgroups: a.b\nList-Id: <l.a.example>\nIn-Reply-To: <0@a.example>\nReferences: <0@a.example>";
  const body = '<p>see <a href="http://www.a.co.uk:81/b/c.pdf?q">x</a> http://192.0.2.7/\n';
  const text = message(`${header}\n${replies}\nContent-Type: text/html; name=a.html`, body);
  const path = join(folder, "every-field.mbox");
  writeFileSync(path, text);
  const bytes = Buffer.from(text);
  const options: ExtractFromOptions = { fields: [...FIELD_NAMES, "header:cc"], type: "mbox" };
  const written = await recordsOf(text, options.fields, 1 << 20, { ...options, source: path });
  expect(written[0]).toMatchObject({ year: 2004, month: "2004-03", domain: "a.co.uk", port: 81, depth: 2, list: "l.a.example", folder });
  expect(written[1]).toMatchObject({ address: "192.0.2.7", path: "/" });
  const named = { ...options, source: path };
  const web = new Blob([bytes]).stream().pipeThrough(extractWebStream(named));
  const streams = [1, 2].map((threads) => Readable.from([bytes]).pipe(new ExtractStream({ ...named, objectMode: true, threads })));
  for (const matches of [extractFiles(path, options), extractFrom(bytes, named), web, ...streams]) {
    const found: MatchJson[] = [];
    for await (const match of matches) found.push(match.toJSON());
    expect(found).toEqual(written);
  }
  // These two have no name of the source.
  const nameless = written.map(({ source: _, folder: _1, ...others }) => others);
  for (const find of [createExtractor(options), (input: Buffer) => extract(input, options)])
    expect(JSON.parse(JSON.stringify(find(bytes)))).toEqual(nameless);
  const [match] = extract(text, options);
  expect({ ...match }).toMatchObject({ domain: "a.co.uk", headers: { cc: "c@c.example" } });
  expect(structuredClone({ ...match }).extension).toBe("pdf");
  expect(extract(text, { type: "mbox" })[0]).not.toHaveProperty("domain");
});

describe("list and folder", () => {
  it.each([
    ["Subject: x\nList-Id: The List <l.a.example>", "l.a.example"],
    ["Subject: [other] x\nList-Id: <l.a.example>", "l.a.example"],
    ["Subject: [Wheels] x", "Wheels"],
    ["Subject: Re: AW: [Wheels 123] [PATCH] x", "Wheels"],
    ["Subject: =?utf-8?q?Re:_=5BM=C3=BChlen=5D_x?=", "Mühlen"],
    ["Subject: [PATCH 1/2] x", undefined],
    ["Subject: x [wheels]", undefined],
    ["Subject: [] x", undefined],
    ["Subject: ] [", undefined],
    ["Subject: x", undefined],
  ])("%j", async (header, list) => {
    const text = message(header, "http://a.example/");
    expect((await recordsOf(text, ["list"]))[0]?.list).toBe(list);
    mkdirSync(join(folder, "mail/box/cur"), { recursive: true });
    writeFileSync(join(folder, "mail/box/cur/1:2,S"), text.slice(text.indexOf("\n") + 1));
    writeFileSync(join(folder, "mail/m.mbox"), text);
    const { stdout } = await run(["-f", "tsv", "--no-header", "--fields", "folder,list", "mail", "mail/m.mbox"], { cwd: folder });
    const rows = ["mail/box", "mail", "mail"].map((of) => `${of}\t${list ?? of}\n`);
    expect(stdout).toBe(rows.join(""));
    const { stdout: counts } = await run(["count", "--by", "folder,list", "--no-header", "--messages-all", "-j", "2", "mail"], {
      cwd: folder,
    });
    const counted = ["mail", "mail/box"].map((of) => `${of}\t${list ?? of}\t1\t1\t1\t`);
    const rowsOf = counts.split("\n").slice(0, -1).toSorted();
    expect(rowsOf.map((row, index) => row.startsWith(counted[index] ?? "-"))).toEqual([true, true]);
  });

  it("have no value for standard input", async () => {
    const { stdout } = await run(["-f", "tsv", "--no-header", "--fields", "folder,list"], { input: "http://a.example/" });
    expect(stdout).toBe("\t\n");
  });
});

describe("where: signature", () => {
  const text = [
    message("Subject: one", "http://a.example/1\n--\nhttp://a.example/2\n-- \nhttp://a.example/3\n> http://a.example/4"),
    message("Subject: two", `http://a.example/5\n-- \n${"x".repeat(70).concat("\n").repeat(20)}http://a.example/6`),
    message("Subject: far", `-- \n${"x".repeat(70).concat("\n").repeat(40)}http://a.example/7`),
    message("Content-Transfer-Encoding: quoted-printable\nSubject: http://a.example/8", "x\n--=20\nhttp://a.example/=39"),
    message(`Content-Transfer-Encoding: base64`, Buffer.from("x\r\n-- \r\nhttp://a.example/10").toString("base64")),
    message("Content-Type: text/html", "<p>\n-- \nhttp://a.example/11"),
    ...["_".repeat(47), "-.".repeat(20), `${"_".repeat(40)}\r`].map((ruler) =>
      message("Subject: footer", `-- \nhttp://a.example/12\n${ruler}\nhttp://a.example/13\nhttp://a.example/14`),
    ),
    ...["_".repeat(39), "-".repeat(70), `x${"_".repeat(47)}`, `${"_".repeat(47)}x`, "_".repeat(47), `${"_".repeat(47)}\n`].map((rule) =>
      message("Subject: no footer", `-- \n${rule}\nhttp://a.example/15`),
    ),
  ].join("");
  const wanted = ["body", "body", "signature", "body", "body", "signature", "body", "header:Subject", "signature", "signature", "html"];
  for (let footers = 0; footers < 3; footers++) wanted.push("signature", "body", "body");
  for (let rules = 0; rules < 6; rules++) wanted.push("signature");

  it("is below a line of two hyphens and a space, however the text is cut", async () => {
    for (const size of [1, 61, 4096, 1 << 20])
      for (const options of [{}, { refang: true }])
        expect((await recordsOf(text, ["where"], size, options)).map(({ where }) => where)).toEqual(wanted);
  });

  it("is a body unless something names it", async () => {
    const records = await recordsOf(text, undefined);
    expect(records.map(({ where }) => where)).toEqual(wanted.map((where) => (where === "signature" ? "body" : where)));
  });

  it("is a filter, and a part of the body", async () => {
    const urls = async (where: string): Promise<number> => (await recordsOf(text, ["url"], 100, { where: [where] })).length;
    expect(await Promise.all(["signature", "sig*", "body", "bod*", "*"].map(urls))).toEqual([13, 13, 24, 24, 26]);
  });

  it.each(["body", "bod*", "*"])("is a body with the filter %s, which does not name it", async (where) => {
    const records = await recordsOf(text, undefined, 100, { where: [where] });
    expect(records.filter((record) => record.where === "signature")).toEqual([]);
  });
});
