// A zip archive and its directory: a file is read by its directory, if that can be trusted, a stream by the headers; what is lost is named.
import { describe, expect, it } from "vitest";
import { SourceError } from "../../src/base/errors.ts";
import { zip } from "./archives.ts";
import { chunksOf, openAsFile, openBytes, openMembers, type Read } from "./open.ts";
import { SHORT, TEXT } from "./packed.ts";

const END = Buffer.from("PK\x05\x06", "latin1");
const ENTRY = Buffer.from("PK\x01\x02", "latin1");
const A = { name: "a", text: "http://a.example/\n" };
const B = { name: "b", text: "http://b.example/\n" };
const C = { name: "c", text: "http://c.example/\n", isOpenEnded: true };

/** What is read from a file, which is what is read from a stream, however it is cut. */
async function openBoth(bytes: Buffer): Promise<Read[]> {
  const found = await openAsFile("x", bytes);
  expect(await openBytes("x", bytes)).toEqual(found);
  expect(await openBytes("x", bytes, {}, 7)).toEqual(found);
  return found;
}

/** The messages of what is wrong with an archive. */
async function reasonsOf(bytes: Buffer): Promise<string[]> {
  const reasons: string[] = [];
  for await (const { chunks } of openMembers({ name: "x", chunks: chunksOf(bytes) }))
    try {
      for await (const _ of chunks);
    } catch (error) {
      reasons.push(error instanceof SourceError ? error.reason : String(error));
    }
  return reasons;
}

interface Parts {
  files: Buffer;
  entries: Buffer[];
  end: Buffer;
}

function partsOf(bytes: Buffer): Parts {
  const end = bytes.lastIndexOf(END);
  const start = bytes.readUInt32LE(end + 16);
  const entries: Buffer[] = [];
  for (let at = start; at < end; ) {
    const next = bytes.indexOf(ENTRY, at + 4);
    entries.push(bytes.subarray(at, next < 0 ? end : next));
    at = next < 0 ? end : next;
  }
  return { files: bytes.subarray(0, start), entries, end: Buffer.from(bytes.subarray(end)) };
}

/** The archive of these parts; its end tells their number and place. */
function build({ files, entries, end }: Parts, prefix = 0): Buffer {
  const listed = Buffer.concat(entries);
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(listed.length, 12);
  end.writeUInt32LE(files.length - prefix, 16);
  return Buffer.concat([files, listed, end]);
}

describe("zip archives one behind the other", () => {
  const both: Read[] = [
    ["x!a", A.text],
    ["x!c", C.text],
    ["x!b", B.text],
  ];

  it("are all read", async () => {
    expect(await openBoth(Buffer.concat([zip([A, C]), zip([B])]))).toEqual(both);
    expect(await openBoth(Buffer.concat([zip([A]), zip([C]), zip([]), zip([B])]))).toEqual(both);
    expect(await openBoth(Buffer.concat([zip([]), zip([A, C, B])]))).toEqual(both);
  });

  it("may have zeros between and behind them", async () => {
    expect(await openBoth(Buffer.concat([zip([A, C]), Buffer.alloc(1000), zip([B]), Buffer.alloc(100_000)]))).toEqual(both);
  });

  it("with something else between or behind them are read, and it is named", async () => {
    const named: Read = ["x", "", "ERR_URLMILL_TRAILING"];
    expect(await openBoth(Buffer.concat([zip([A, C]), Buffer.from("else"), zip([B])]))).toEqual([...both.slice(0, 2), named, both[2]]);
    expect(await openBoth(Buffer.concat([zip([A, C, B]), Buffer.from("else".repeat(40_000))]))).toEqual([...both, named]);
  });

  it("of which one has no end are read", async () => {
    const { files } = partsOf(zip([A]));
    const found = await openBoth(Buffer.concat([files, zip([C, B])]));
    expect(found).toEqual([...both, ["x", "", "ERR_URLMILL_CORRUPT"]]);
  });
});

describe("a zip archive", () => {
  it("with files that its directory does not list gives them from a stream, and names them", async () => {
    const { files, entries, end } = partsOf(zip([A, C, B]));
    const all: Read[] = [
      ["x!a", A.text],
      ["x!c", C.text],
      ["x!b", B.text],
    ];
    const named: Read = ["x", "", "ERR_URLMILL_CORRUPT"];
    for (const left of [1, 2]) {
      const bytes = build({ files, entries: entries.filter((_, index) => index !== left), end });
      expect(await openBytes("x", bytes)).toEqual([...all, named]);
      expect(await reasonsOf(bytes)).toEqual(["its directory has 2 members, but 3 were found, which were read"]);
      expect(await openAsFile("x", bytes)).toEqual(all.with(left, named));
    }
    const bytes = build({ files, entries: entries.slice(1), end });
    expect(await openAsFile("x", bytes)).toEqual([named, all[1], all[2]]);
  });

  it("to which a directory was appended again is read by the last one", async () => {
    const { files, entries, end } = partsOf(zip([A]));
    const more = partsOf(zip([B]));
    const before = build({ files, entries, end });
    const entry = Buffer.from(more.entries[0] as Buffer);
    entry.writeUInt32LE(before.length, 42);
    const bytes = build({ files: Buffer.concat([before, more.files]), entries: [...entries, entry], end: more.end });
    expect(await openAsFile("x", bytes)).toEqual([
      ["x!a", A.text],
      ["x!b", B.text],
    ]);
  });

  it("behind one that is cut is read, and the cut member is named", async () => {
    const cut = zip([A]).subarray(0, 40);
    const bytes = Buffer.concat([cut, zip([B])]);
    expect(await openAsFile("x", bytes)).toEqual([
      ["x", "", "ERR_URLMILL_CORRUPT"],
      ["x!b", B.text],
    ]);
  });

  it("with entries of its directory that have no file names them", async () => {
    const { files, entries, end } = partsOf(zip([A, B]));
    const lost = Buffer.from(zip([{ name: "lost", text: SHORT }]).subarray(-22 - 46 - 4, -22));
    lost.writeUInt32LE(3, 42);
    const bytes = build({ files, entries: [...entries, lost], end });
    expect(await openBoth(bytes)).toEqual([
      ["x!a", A.text],
      ["x!b", B.text],
      ["x", "", "ERR_URLMILL_CORRUPT"],
    ]);
    expect(await reasonsOf(bytes)).toEqual(["its directory has 3 members, but 2 were found, which were read"]);
  });

  it("whose files have other names in its directory has those of the directory in a file", async () => {
    const bytes = zip([A, B]);
    bytes.write("Z", bytes.lastIndexOf(END) - 1);
    const names = (found: Read[]) => found.map(([name, , code]) => [name, code]);
    expect(names(await openBytes("x", bytes))).toEqual([
      ["x!a", undefined],
      ["x!b", undefined],
    ]);
    expect(names(await openAsFile("x", bytes))).toEqual([
      ["x!a", undefined],
      ["x!Z", undefined],
    ]);
  });

  it("whose directory has fewer entries than it says names that", async () => {
    const bytes = zip([A, B]);
    bytes.writeUInt16LE(3, bytes.length - 12);
    bytes.writeUInt16LE(3, bytes.length - 14);
    expect(await reasonsOf(bytes)).toEqual(["its directory has 2 members, but its end says 3"]);
  });

  it("whose directory gives a smaller size than a header names that in a file", async () => {
    const { files, entries, end } = partsOf(zip([A, B]));
    const none = Buffer.from(entries[0] as Buffer);
    none.fill(0, 16, 28);
    none.writeUInt16LE(0, 10);
    const bytes = build({ files, entries: [none, entries[1] as Buffer], end });
    expect(await openAsFile("x", bytes)).toEqual([
      ["x!a", ""],
      ["x", "", "ERR_URLMILL_CORRUPT"],
      ["x!b", B.text],
    ]);
    expect((await openBytes("x", bytes))[0]).toEqual(["x!a", A.text]);
  });

  it("may have the same name twice, and a directory in another order", async () => {
    const twice = zip([A, { ...B, name: "a" }]);
    expect(await openBoth(twice)).toEqual([
      ["x!a", A.text],
      ["x!a", B.text],
    ]);
    const { files, entries, end } = partsOf(zip([A, C, B]));
    expect((await openBoth(build({ files, entries: entries.reverse(), end }))).map(([name, , code]) => [name, code])).toEqual([
      ["x!a", undefined],
      ["x!c", undefined],
      ["x!b", undefined],
    ]);
  });

  it("may have gaps: between its files, before its directory, padded fields, a comment", async () => {
    const [one, two] = [partsOf(zip([A])), partsOf(zip([{ name: "b", text: TEXT }]))];
    const entry = Buffer.from(two.entries[0] as Buffer);
    entry.writeUInt32LE(one.files.length + 50, 42);
    const gap = Buffer.from("a block that a program keeps its signature in PK");
    const files = Buffer.concat([one.files, gap, Buffer.alloc(2), two.files, gap]);
    const bytes = build({ files, entries: [...one.entries, entry], end: one.end });
    const comment = Buffer.from("said of all: http://comment.example/ PK");
    bytes.writeUInt16LE(comment.length, bytes.length - 2);
    expect(await openBoth(Buffer.concat([bytes, comment]))).toEqual([
      ["x!a", A.text],
      ["x!b", TEXT],
    ]);
  });

  it("of which a header is wrong gives the others", async () => {
    const bytes = zip([A, B, C]);
    const second = bytes.indexOf(Buffer.from("PK\x03\x04", "latin1"), 4);
    bytes.writeUInt8(0, second);
    expect(await openBoth(bytes)).toEqual([
      ["x!a", A.text],
      ["x!c", C.text],
      ["x", "", "ERR_URLMILL_CORRUPT"],
    ]);
    expect(await reasonsOf(bytes)).toEqual(["its directory has 3 members, but 2 were found, which were read"]);
  });

  it("whose files share bytes gives each byte once", async () => {
    const inner = zip([B]).subarray(0, 31 + 18 + 2);
    const outer = partsOf(zip([{ name: "a", text: inner, method: 0 }]));
    const entry = Buffer.from(partsOf(zip([B])).entries[0] as Buffer);
    entry.writeUInt32LE(31, 42);
    const found = await openBoth(build({ files: outer.files, entries: [...outer.entries, entry], end: outer.end }));
    expect(found).toEqual([
      ["x!a!b", B.text],
      ["x!a", "", "ERR_URLMILL_TRUNCATED"],
      ["x", "", "ERR_URLMILL_CORRUPT"],
    ]);
  });

  it("whose end tells another offset of its directory gives all its files", async () => {
    const bytes = zip([A, C, B, { name: "d", text: TEXT }]);
    const place = bytes.length - 6;
    const offset = bytes.readUInt32LE(place);
    const wanted: Read[] = [
      ["x!a", A.text],
      ["x!c", C.text],
      ["x!b", B.text],
      ["x!d", TEXT],
    ];
    const shifts = [...Array.from({ length: 199 }, (_, index) => index + 1), -1, -30, -offset, 0x7fffffff];
    for (const shift of shifts) {
      bytes.writeUInt32LE((offset + 2 ** 32 - shift) % 2 ** 32, place);
      expect(await openBoth(bytes), `${shift}`).toEqual(wanted);
    }
  });

  it("whose directory tells another offset of a file gives all its files", async () => {
    const { files, entries, end } = partsOf(zip([A, C, B]));
    for (const [index, entry] of entries.entries()) {
      for (const offset of [0, 1, 20, 49, 51, 70, 118, 150, files.length - 1, files.length, 0x7fffffff]) {
        if (offset === entry.readUInt32LE(42)) continue;
        const wrong = Buffer.from(entry);
        wrong.writeUInt32LE(offset, 42);
        const found = await openBoth(build({ files, entries: entries.with(index, wrong), end }));
        expect(found, `${index} at ${offset}`).toEqual([
          ["x!a", A.text],
          ["x!c", C.text],
          ["x!b", B.text],
        ]);
      }
    }
  });

  it("whose directory tells a size that reaches into the next file gives all its files", async () => {
    const { files, entries, end } = partsOf(zip([A, C, B]));
    for (const [index, entry] of entries.entries()) {
      for (const more of [60, 10_000, 0x7fffffff]) {
        const wrong = Buffer.from(entry);
        wrong.writeUInt32LE(wrong.readUInt32LE(20) + more, 20);
        const found = await openBoth(build({ files, entries: entries.with(index, wrong), end }));
        expect(found, `${index} with ${more}`).toEqual([
          ["x!a", A.text],
          ["x!c", C.text],
          ["x!b", B.text],
        ]);
      }
    }
  });

  it("whose descriptor behind a file is wrong names that", async () => {
    const { files, entries, end } = partsOf(zip([A, C, B]));
    const place = files.indexOf("PK\x07\x08", undefined, "latin1");
    const codes: Read[][] = [];
    for (const at of [4, 8, 12]) {
      const wrong = Buffer.from(files);
      wrong.writeUInt8(wrong.readUInt8(place + at) ^ 1, place + at);
      codes.push(await openBoth(build({ files: wrong, entries, end })));
    }
    const found: Read[] = [
      ["x!a", A.text],
      ["x!c", C.text, "ERR_URLMILL_CORRUPT"],
      ["x!b", B.text],
    ];
    expect(codes).toEqual([found, found, found]);
  });
});

describe("a damaged file whose size no header says", () => {
  it("hides no file after it, however the archive is cut", async () => {
    const bytes = zip([{ ...C, text: TEXT }, A, B]);
    // The first block of the deflate data is of no type.
    bytes[30 + C.name.length] = 0xff;
    const found = await openBytes("x", bytes);
    expect(found.slice(0, 3)).toEqual([
      ["x!c", "", "ERR_URLMILL_CORRUPT"],
      ["x!a", A.text],
      ["x!b", B.text],
    ]);
    for (const size of [1, 7, 64, 100, 1000]) expect(await openBytes("x", bytes, {}, size)).toEqual(found);
  });
});
