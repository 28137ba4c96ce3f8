// Messages of Outlook (A21), in compound files that the package cfb writes: each gives what the same message of RFC 2045 gives.
import * as CFB from "cfb";
import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { extractFrom, type Match } from "../../src/index.ts";
import { CompoundFile } from "../../src/input/containers/compound-file.ts";
import { summarize } from "../../src/summarize.ts";
import { RUNS, seeded } from "../core/check.ts";
import { openAsFile, openBytes, openMembers } from "./open.ts";
import { compressed } from "./rich-text.ts";

type Value = string | Buffer | number | Date;
/** Properties by number and type; `inner`: the message of an attachment. */
interface Part {
  readonly properties: Readonly<Record<string, Value>>;
  readonly attachments?: readonly Part[];
  readonly inner?: Part;
  /** Streams of an OLE object that is attached, by name. */
  readonly object?: Readonly<Record<string, string>>;
}

function streamOf(value: Value): Buffer {
  return typeof value === "string" ? Buffer.from(value, "utf16le") : (value as Buffer);
}

function add(file: CFB.CFB$Container, folder: string, part: Part, rowsAt: number): void {
  const rows = [Buffer.alloc(rowsAt)];
  for (const [name, value] of Object.entries(part.properties)) {
    const row = Buffer.alloc(16);
    row.writeUInt16LE(Number.parseInt(name.slice(0, 4), 16), 2);
    row.writeUInt16LE(Number.parseInt(name.slice(4), 16), 0);
    if (typeof value === "number") row.writeUInt32LE(value, 8);
    else if (value instanceof Date) row.writeBigUInt64LE(BigInt(value.getTime() + 11_644_473_600_000) * 10_000n, 8);
    else CFB.utils.cfb_add(file, `${folder}__substg1.0_${name}`, streamOf(value));
    rows.push(row);
  }
  CFB.utils.cfb_add(file, `${folder}__properties_version1.0`, Buffer.concat(rows));
  for (const [index, attachment] of (part.attachments ?? []).entries()) {
    const inside = `${folder}__attach_version1.0_#${index.toString(16).toUpperCase().padStart(8, "0")}/`;
    add(file, inside, attachment, 8);
    for (const [name, text] of Object.entries(attachment.object ?? {}))
      CFB.utils.cfb_add(file, `${inside}__substg1.0_3701000D/${name}`, Buffer.from(text));
    if (attachment.inner !== undefined) add(file, `${inside}__substg1.0_3701000D/`, attachment.inner, 24);
  }
}

function outlook(part: Part): Buffer {
  const file = CFB.utils.cfb_new();
  add(file, "/", part, 32);
  return Buffer.from(CFB.write(file, { type: "buffer" }) as Uint8Array);
}

async function found(bytes: Uint8Array, parts: "text" | "all" = "text"): Promise<Match[]> {
  const matches: Match[] = [];
  for await (const match of extractFrom([bytes], { parts, fields: ["url", "where", "date", "from_address", "subject", "part", "text"] }))
    matches.push(match);
  return matches;
}

const urlsOf = async (bytes: Uint8Array, parts?: "all"): Promise<string[]> => (await found(bytes, parts)).map(({ url }) => url ?? "");
const html = (body: string): Buffer => Buffer.from(`<html><body>${body}</body></html>`);

const RECEIVED: Part = {
  properties: {
    "007D001F":
      "Received: by a\r\nContent-Type: text/rtf;\r\n charset=x\r\nFrom: Ada <ada@a.example>\r\n" +
      "Date: Mon, 5 Jan 2026 10:00:00 +0100\r\n\r\n",
    "1000001F": "see http://text.example/\u00e9\r\n",
    "10130102": html('<a href="http://page.example/">x</a>'),
    "3FDE0003": 65_001,
  },
  attachments: [
    { properties: { "37010102": Buffer.from("http://file.example/"), "370E001F": "text/plain", "3707001F": 'a"b.txt' } },
    { properties: { "37010102": Buffer.from("http://image.example/"), "370E001F": "image/png" } },
    { properties: {}, inner: { properties: { "0037001F": "inner", "1000001F": "http://inner.example/" } } },
  ],
};

describe("a message of Outlook", () => {
  it("gives its bodies, its attachments, and the messages in it", async () => {
    const matches = await found(outlook(RECEIVED));
    expect(matches.map(({ url, where }) => [url, where])).toEqual([
      ["http://text.example/%C3%A9", "body"],
      ["http://page.example/", "html"],
      ["http://file.example/", "body"],
      ["http://inner.example/", "body"],
    ]);
    expect(matches[0]).toMatchObject({ date: "2026-01-05T09:00:00Z", fromAddress: "ada@a.example", part: "1" });
    expect(await urlsOf(outlook(RECEIVED), "all")).toContain("http://image.example/");
  });

  it("that was not sent has a header of its properties", async () => {
    const properties = {
      "0C1A001F": 'Ada "A"\r\nX: y',
      "0C1E001F": "SMTP",
      "0C1F001F": "ada@a.example",
      "0037001F": "Gr\u00fc\u00dfe",
      "00390040": new Date("2020-02-03T04:05:06Z"),
      "1000001F": "http://a.example/",
    };
    expect(await found(outlook({ properties }))).toMatchObject([
      { url: "http://a.example/", date: "2020-02-03T04:05:06Z", fromAddress: "ada@a.example", subject: "Gr\u00fc\u00dfe" },
    ]);
  });

  it("has the characters of windows-1252, which Node takes for controls", async () => {
    const properties = { "1000001E": Buffer.from("http://a.example/\x8e", "latin1"), "3FFD0003": 1252 };
    expect(await urlsOf(outlook({ properties }))).toEqual(["http://a.example/%C5%BD"]);
    const rtf = "{\\rtf1\\ansi\\ansicpg1252 http://b.example/\\'8e\x8e}";
    expect(await urlsOf(outlook({ properties: { "10090102": compressed(rtf) } }))).toEqual(["http://b.example/%C5%BD%C5%BD"]);
  });

  it.each([
    [932, "shift_jis", { "3FFD0003": 932 }],
    [50_220, "shift_jis", { "3FDE0003": 50_220 }],
  ])("in code page %d has its subject in %s", async (_, __, page) => {
    const properties = { ...page, "0037001E": Buffer.from("93fa967b8cea", "hex"), "1000001E": Buffer.from("http://a.example/") };
    expect(await found(outlook({ properties }))).toMatchObject([{ url: "http://a.example/", subject: "\u65e5\u672c\u8a9e" }]);
  });

  it("that is signed is read as the message in its attachment", async () => {
    const signed = 'Content-Type: multipart/signed; boundary="b"\r\n\r\n--b\r\n\r\nhttp://signed.example/\r\n--b--\r\n';
    const properties = { "001A001F": "IPM.Note.SMIME.MultipartSigned" };
    const attachments = [{ properties: { "37010102": Buffer.from(signed), "370E001F": "multipart/signed" } }];
    expect(await urlsOf(outlook({ properties, attachments }))).toEqual(["http://signed.example/"]);
  });

  it("has an OLE object as an attachment of its bytes", async () => {
    const object = { CONTENTS: "http://a.example/\n", "Sub/Deep": "http://b.example/\n" };
    const bytes = outlook({ properties: { "1000001F": "x" }, attachments: [{ properties: {}, object }] });
    expect(await urlsOf(bytes)).toEqual([]);
    expect((await urlsOf(bytes, "all")).sort()).toEqual(["http://a.example/", "http://b.example/"]);
    const { left_out: omitted } = await summarize(bytes);
    expect(omitted).toMatchObject([{ reason: "attachment", types: { "application/x-ole-storage": 1 } }]);
  });

  it("may be larger than one table of sectors", async () => {
    const large = Buffer.alloc(10_000_000, "x\n");
    large.write("http://end.example/", large.length - 20);
    expect(
      await urlsOf(
        outlook({ properties: { "10130102": html("") }, attachments: [{ properties: { "37010102": large, "370E001F": "text/plain" } }] }),
      ),
    ).toEqual(["http://end.example/"]);
  });

  it("inside many others is not read, and that is said", async () => {
    let part: Part = { properties: { "1000001F": "http://deep.example/" } };
    for (let depth = 0; depth < 8; depth++)
      part = { properties: { "1000001F": `http://${depth}.example/` }, attachments: [{ properties: {}, inner: part }] };
    const [[, text = "", code] = []] = await openBytes("a", outlook(part));
    expect([text.match(/aHR0cDov/g)?.length, code]).toEqual([8, "ERR_URLMILL_LIMIT"]);
  });
});

describe("a body in RTF", () => {
  const bodyOf = async (rtf: string, given: Readonly<Record<string, Value>> = {}): Promise<string[]> =>
    urlsOf(outlook({ properties: { ...given, "10090102": compressed(rtf) } }));

  it("skips what stands for a character of Unicode up to a brace, and never less than nothing", async () => {
    const rtf =
      "{\\rtf1\\ansi {\\uc9\\u233}http://a.example/ \\uc1\\u233{http://b.example/} \\uc-1\\u233 http://c.example/ http://d.example/}";
    expect(await bodyOf(rtf)).toEqual(["a", "b", "c", "d"].map((name) => `http://${name}.example/`));
  });

  it("that was made of a page is read as that page", async () => {
    const rtf =
      "{\\rtf1\\ansi\\ansicpg1252\\fromhtml1 \\deff0{\\fonttbl{\\f0\\fswiss http://font.example/;}}\\uc1\\pard " +
      '{\\*\\htmltag64 <a href="http://page.example/\\\'e9?x=\\{1\\}">}\\htmlrtf ' +
      '{\\field{\\*\\fldinst{HYPERLINK "http://rtf.example/"}}{\\fldrslt\\htmlrtf0 ' +
      "h\\u8217\\'92t\\htmlrtf }}\\htmlrtf0 {\\*\\htmltag72 </a>}" +
      "\\htmlrtf http://hidden.example/\\htmlrtf0 {\\*\\mhtmltag64 http://m.example/}}";
    const [match] = await found(outlook({ properties: { "1000001F": "text", "10090102": compressed(rtf) } }));
    expect(match).toMatchObject({ url: "http://page.example/%C3%A9?x=%7B1%7D", where: "html", text: "h\u2019t" });
    expect(await bodyOf(rtf)).toEqual(["http://page.example/%C3%A9?x=%7B1%7D"]);
  });

  it("gives its text and links if there is no other", async () => {
    const rtf =
      "{\\rtf1\\ansi{\\info http://info.example/}see http://a.example/\\par " +
      '{\\field{\\*\\fldinst HYPERLINK "http://link.example/"}{\\fldrslt x}}}';
    expect(await bodyOf(rtf)).toEqual(["http://a.example/", "http://link.example/"]);
    expect(await bodyOf(rtf, { "1000001F": "http://body.example/" })).toEqual(["http://body.example/"]);
  });

  it("may have words that are names of every object", async () => {
    const words = ["constructor", "toString", "valueOf", "hasOwnProperty"].map((word) => `\\${word} http://${word}.example/`);
    expect(await bodyOf(`{\\rtf1 ${words.join(" ")}}`)).toHaveLength(words.length);
  });

  it("has characters in the code page of its font", async () => {
    const rtf =
      "{\\rtf1\\ansi\\ansicpg1252{\\fonttbl{\\f0\\fnil a;}{\\f1\\fnil\\fcharset128 b;}}" +
      "\\f0 http://a.example/\\'e9\\par \\f1 http://a.example/\\'93\\'fa\\'83e}";
    expect(await bodyOf(rtf)).toEqual(["http://a.example/%C3%A9", "http://a.example/%E6%97%A5%E3%83%86"]);
  });
});

describe("limits end", () => {
  const limited = async (part: Part): Promise<[bytes: number, code: string | undefined]> => {
    const [[, text = "", code] = []] = await openBytes("a", outlook(part));
    return [text.length, code];
  };

  it("files of more than 128 MiB", async () => {
    const start = outlook({ properties: {} });
    const chunk = new Uint8Array(1 << 20);
    const members = openMembers({
      name: "a",
      chunks: (async function* () {
        yield start;
        for (let count = 0; count < 128; count++) yield chunk;
      })(),
    });
    const { value } = await members.next();
    await expect(value?.chunks.next()).rejects.toMatchObject({ code: "ERR_URLMILL_LIMIT" });
    await members.return(undefined);
  });

  it("bodies in RTF of 16 MiB, and of many groups", async () => {
    // Each token stands for 16 bytes of the window, and never names its end.
    const bomb = Buffer.alloc(3 << 20, Buffer.from([0xff, ...Array.from({ length: 8 }, () => [0x00, 0x0e]).flat()]));
    const header = Buffer.alloc(16);
    header.writeUInt32LE(0x75465a4c, 8);
    const [bytes, code] = await limited({ properties: { "10090102": Buffer.concat([header, bomb]) } });
    expect(code).toBe("ERR_URLMILL_LIMIT");
    expect(bytes).toBeLessThan(30 << 20);
    const groups = Buffer.concat([Buffer.alloc(16), Buffer.from("{\\rtf1 http://a.example/ "), Buffer.alloc(1 << 20, "{")]);
    expect((await limited({ properties: { "10090102": groups } }))[1]).toBe("ERR_URLMILL_LIMIT");
  });

  it("streams that share their sectors, and tables that name a sector often", async () => {
    const attachments = Array.from({ length: 100 }, () => ({ properties: { "37010102": Buffer.alloc(5000, "a") } }));
    const bytes = outlook({ properties: { "1000001F": "x" }, attachments });
    const shared = CFB.parse(bytes);
    const large = Buffer.alloc(1 << 20, "b");
    CFB.utils.cfb_add(shared, "/large", large);
    const file = Buffer.from(CFB.write(shared, { type: "buffer" }) as Uint8Array);
    const start = file.indexOf(large.subarray(0, 512)) / 512 - 1;
    const name = Buffer.from("__substg1.0_37010102", "utf16le");
    for (let at = file.indexOf(name); at >= 0; at = file.indexOf(name, at + 1)) {
      file.writeUInt32LE(start, at + 116);
      file.writeUInt32LE(large.length, at + 120);
    }
    const [[, text = "", code] = []] = await openBytes("a", file);
    expect(code).toBe("ERR_URLMILL_CORRUPT");
    expect(text.length).toBeLessThan(8 * file.length);
    // Attachments whose small sectors are missing share one chain.
    const small = CFB.parse(
      outlook({ properties: {}, attachments: attachments.map(() => ({ properties: { "37010102": Buffer.alloc(100) } })) }),
    );
    const many = Buffer.from(CFB.write(small, { type: "buffer" }) as Uint8Array);
    const [tableAt, size] = [512 * (1 + many.readUInt32LE(60)), 512 * many.readUInt32LE(64)];
    for (let at = 0; at < size; at += 4) many.writeUInt32LE(at / 4 + 1, tableAt + at);
    for (let at = many.indexOf(name); at >= 0; at = many.indexOf(name, at + 1)) many.writeUInt32LE(size / 8, at + 116);
    many.writeUInt32LE(0xfffffffe, many.indexOf(Buffer.from("Root Entry", "utf16le")) + 116);
    const followed = vi.spyOn(Set.prototype, "add");
    await openBytes("a", many);
    const steps = followed.mock.calls.length;
    followed.mockRestore();
    expect(steps).toBeLessThan(1000);
    // The list of tables goes on in sectors that name one sector again and again.
    const list = Buffer.alloc(4 << 20);
    outlook({ properties: {} }).copy(list, 0, 0, 512);
    for (let at = 512; at < list.length; at += 4) list.writeUInt32LE(at % 512 === 508 ? at / 512 : 0, at);
    list.writeUInt32LE(0, 68);
    const subarray = vi.spyOn(list, "subarray");
    new CompoundFile(list);
    expect(subarray.mock.calls.length).toBeLessThan(list.length / 128);
  });
});

describe("damaged", () => {
  it("another file of OLE is named", async () => {
    const file = CFB.utils.cfb_new();
    CFB.utils.cfb_add(file, "/WordDocument", Buffer.from("http://a.example/"));
    const bytes = Buffer.from(CFB.write(file, { type: "buffer" }) as Uint8Array);
    expect(await openBytes("a.doc", bytes)).toEqual([["a.doc", "", "ERR_URLMILL_METHOD"]]);
  });

  it("a message that was cut has an error", async () => {
    const attachments = [{ properties: { "37010102": Buffer.alloc(50_000, "a") } }];
    const bytes = outlook({ properties: { "1000001F": "http://a.example/" }, attachments });
    for (const cut of [bytes.length - 20_000, 3000, 600, 100]) {
      const [[, , code] = []] = await openBytes("a", bytes.subarray(0, cut));
      expect(code, String(cut)).toBe("ERR_URLMILL_CORRUPT");
    }
  });

  it("bytes give the same from a file as from a stream, however it is cut, and end", async () => {
    const whole = outlook(RECEIVED);
    const change = fc.record({ at: fc.nat(whole.length - 4), value: fc.oneof(fc.nat(200), fc.nat(0xffffffff)) });
    const changes = fc.array(change, { minLength: 1, maxLength: 12 });
    const property = fc.asyncProperty(changes, fc.integer({ min: 1, max: 5000 }), async (made, size) => {
      const bytes = Buffer.from(whole);
      for (const { at, value } of made) bytes.writeUInt32LE(value, Math.max(8, at));
      const read = await openBytes("a", bytes, {}, size);
      expect(await openAsFile("a", bytes)).toEqual(read);
      for (const [, , code] of read) expect([undefined, "ERR_URLMILL_CORRUPT", "ERR_URLMILL_METHOD"]).toContain(code);
    });
    await fc.assert(property, { numRuns: Math.ceil(300 * RUNS), ...seeded });
  });
});
