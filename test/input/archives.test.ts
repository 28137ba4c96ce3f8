// Archives: tar and zip, from files and as streams, whole and broken, in each other.
import { constants, deflateRawSync, gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { TAR_END, tar, tarFile, zip } from "./archives.ts";
import { openAsFile, openBytes, type Read } from "./open.ts";
import { BZIP2, SHORT, TEXT, XZ, ZIP_ENCRYPTED } from "./packed.ts";

const LONG_NAME = `${"folder/".repeat(40)}file.txt`;

/** `bytes` read from a file and as a stream, also byte by byte, which must give the same. */
async function openAnyWay(name: string, bytes: Buffer): Promise<Read[]> {
  const found = await openBytes(name, bytes);
  expect(await openBytes(name, bytes, {}, 1)).toEqual(found);
  expect(await openAsFile(name, bytes)).toEqual(found);
  return found;
}

function pax(records: Record<string, string | Buffer>): Buffer {
  const parts = Object.entries(records).map(([key, value]) => {
    const rest = Buffer.concat([Buffer.from(` ${key}=`), Buffer.from(value as string), Buffer.from("\n")]);
    const digits = String(rest.length + String(rest.length + 2).length).length;
    return Buffer.concat([Buffer.from(String(rest.length + digits)), rest]);
  });
  return tarFile({ name: "pax", text: Buffer.concat(parts) }, "x");
}

describe("tar", () => {
  it("gives its files", async () => {
    const files = tar([
      { name: "a.mbox", text: TEXT },
      { name: "b", text: "" },
      { name: "c", text: SHORT },
    ]);
    expect(await openAnyWay("x.tar", files)).toEqual([
      ["x.tar!a.mbox", TEXT],
      ["x.tar!b", ""],
      ["x.tar!c", SHORT],
    ]);
    expect(await openBytes(undefined, files)).toEqual([
      ["a.mbox", TEXT],
      ["b", ""],
      ["c", SHORT],
    ]);
  });

  it("gives neither folders nor links nor devices", async () => {
    const none = ["1", "2", "3", "4", "5", "6"].map((type) => tarFile({ name: `n${type}`, text: "" }, type));
    const bytes = Buffer.concat([...none, tarFile({ name: "old/", text: "" }), tarFile({ name: "a", text: SHORT }), TAR_END]);
    expect(await openBytes("x", bytes)).toEqual([["x!a", SHORT]]);
  });

  it("gives files of types that nobody defined, as POSIX says (C261)", async () => {
    const files = ["N", "A", "Z", "a", "8", " "].map((type, index) => tarFile({ name: `${index}`, text: `${SHORT}${type}` }, type));
    const read = ["N", "A", "Z", "a", "8", " "].map((type, index) => [`x!${index}`, `${SHORT}${type}`]);
    expect(await openBytes("x", Buffer.concat([...files, TAR_END]))).toEqual(read);
  });

  it("gives folders that have bytes (C261)", async () => {
    const folders = [
      tarFile({ name: "a", text: TEXT }, "5"),
      tarFile({ name: "b/", text: TEXT }),
      tarFile({ name: "c/", text: "Yx\0\0" }, "D"),
    ];
    const bytes = Buffer.concat([...folders, tarFile({ name: "d", text: SHORT }), TAR_END]);
    expect(await openBytes("x", bytes)).toEqual([
      ["x!a", TEXT],
      ["x!b/", TEXT],
      ["x!d", SHORT],
    ]);
  });

  it("has long names and sizes", async () => {
    const huge = Buffer.from("80000000000000000000" + "0012", "hex");
    const bytes = Buffer.concat([
      tarFile({ name: "long", text: `${LONG_NAME}\0` }, "L"),
      tarFile({ name: "cut", text: "gnu" }),
      pax({ path: LONG_NAME, mtime: "1.5" }),
      tarFile({ name: "cut", text: "pax" }),
      tarFile({ name: "global", text: "30 comment=of all that follow\n" }, "g"),
      pax({ size: String(SHORT.length) }),
      tarFile({ name: "sized", text: SHORT }, "0", Buffer.from("00000000000\0")),
      tarFile({ name: "binary", text: SHORT.slice(0, 18) }, "0", huge),
      TAR_END,
    ]);
    expect(await openBytes("x", bytes, {}, 100)).toEqual([
      [`x!${LONG_NAME}`, "gnu"],
      [`x!${LONG_NAME}`, "pax"],
      ["x!sized", SHORT],
      ["x!binary", SHORT.slice(0, 18)],
    ]);
  });

  it("shows names that are not UTF-8", async () => {
    const bytes = tar([{ name: Buffer.from("\xe9t\xe9", "latin1"), text: SHORT }]);
    expect(await openBytes("x", bytes)).toEqual([["x!été", SHORT]]);
  });

  it("is read on behind its end", async () => {
    const one = tar([{ name: "a", text: SHORT }]);
    const two = tar([{ name: "b", text: SHORT }]);
    expect(await openBytes("x", Buffer.concat([one, two]))).toEqual([
      ["x!a", SHORT],
      ["x!b", SHORT],
    ]);
    expect(await openBytes("x", Buffer.concat([one, Buffer.from("else")]))).toEqual([
      ["x!a", SHORT],
      ["x", "", "ERR_URLMILL_TRAILING"],
    ]);
  });

  it("that is broken gives what stands before", async () => {
    const bytes = Buffer.concat([tarFile({ name: "a", text: SHORT }), tarFile({ name: "b", text: TEXT })]);
    expect(await openBytes("x", bytes.subarray(0, 2000))).toEqual([
      ["x!a", SHORT],
      ["x!b", TEXT.slice(0, 2000 - 1536), "ERR_URLMILL_TRUNCATED"],
    ]);
    expect(await openBytes("x", bytes.subarray(0, 1200))).toEqual([
      ["x!a", SHORT],
      ["x", "", "ERR_URLMILL_TRUNCATED"],
    ]);
    bytes[1100] = 7;
    expect(await openBytes("x", bytes)).toEqual([
      ["x!a", SHORT],
      ["x", "", "ERR_URLMILL_CORRUPT"],
    ]);
  });
});

describe("zip", () => {
  it("gives folders that have bytes (C261)", async () => {
    const bytes = zip([
      { name: "a/", text: TEXT },
      { name: "b", text: SHORT, mode: 0o040755 },
      { name: "c/", text: TEXT, mode: 0o040755, isOpenEnded: true },
      { name: "d/", text: TEXT, method: 0, mode: 0 },
      { name: "e/", text: "", mode: 0o040755 },
    ]);
    expect(await openAnyWay("x", bytes)).toEqual([
      ["x!a/", TEXT],
      ["x!b", SHORT],
      ["x!c/", TEXT],
      ["x!d/", TEXT],
    ]);
  });

  it("gives its files", async () => {
    const bytes = zip([
      { name: "2001.mbox", text: TEXT },
      { name: "folder/", text: "" },
      { name: "folder/stored", text: SHORT, method: 0 },
      { name: "folder/open", text: TEXT, isOpenEnded: true },
      { name: "empty", text: "", isOpenEnded: true },
      { name: "folder/open stored", text: `PK\x07\x08${TEXT}`, method: 0, isOpenEnded: true },
    ]);
    expect(await openAnyWay("list.mbox.zip", bytes)).toEqual([
      ["list.mbox.zip!2001.mbox", TEXT],
      ["list.mbox.zip!folder/stored", SHORT],
      ["list.mbox.zip!folder/open", TEXT],
      ["list.mbox.zip!empty", ""],
      ["list.mbox.zip!folder/open stored", `PK\x07\x08${TEXT}`],
    ]);
  });

  it("may be empty", async () => {
    expect(await openAnyWay("x", zip([]))).toEqual([]);
  });

  it("shows names that are not UTF-8", async () => {
    expect(await openAnyWay("x", zip([{ name: Buffer.from("\xe9", "latin1"), text: SHORT }]))).toEqual([["x!é", SHORT]]);
  });

  it("gives no links, where its directory is read", async () => {
    const bytes = zip([
      { name: "to", text: "target", mode: 0o120777 },
      { name: "a", text: SHORT },
    ]);
    expect(await openAsFile("x", bytes)).toEqual([["x!a", SHORT]]);
  });

  it("says which files it cannot read, and gives the others", async () => {
    expect(await openAnyWay("x", ZIP_ENCRYPTED)).toEqual([
      ["x!a.txt", "", "ERR_URLMILL_ENCRYPTED"],
      ["x!b.txt", SHORT],
    ]);
    const bytes = zip([
      { name: "method", text: "?", method: 14 },
      { name: "open method", text: "?", method: 14, isOpenEnded: true },
      { name: "sum", text: TEXT, sum: 1 },
      { name: "open sum", text: TEXT, sum: 1, isOpenEnded: true },
      { name: "a", text: SHORT },
    ]);
    expect(await openAnyWay("x", bytes)).toEqual([
      ["x!method", "", "ERR_URLMILL_METHOD"],
      ["x!open method", "", "ERR_URLMILL_METHOD"],
      ["x!sum", TEXT, "ERR_URLMILL_CORRUPT"],
      ["x!open sum", TEXT, "ERR_URLMILL_CORRUPT"],
      ["x!a", SHORT],
    ]);
  });

  it("gives the files behind deflate data that is wrong", async () => {
    const bytes = zip([
      { name: "wrong", text: TEXT },
      { name: "a", text: SHORT },
    ]);
    bytes.fill(0xff, 300, 320);
    const found = await openAnyWay("x", bytes);
    expect(found.map(([name, , code]) => [name, code])).toEqual([
      ["x!wrong", "ERR_URLMILL_CORRUPT"],
      ["x!a", undefined],
    ]);
    expect(found[0]?.[1].slice(0, 200)).toBe(TEXT.slice(0, 200));
  });

  it("that is cut off gives what is there", async () => {
    const bytes = zip([
      { name: "a", text: SHORT },
      { name: "b", text: TEXT, method: 0 },
    ]);
    const found = await openAnyWay("x", bytes.subarray(0, 500));
    expect(found[0]).toEqual(["x!a", SHORT]);
    expect(found[1]?.[0]).toBe("x!b");
    expect(found[1]?.[2]).toBe("ERR_URLMILL_TRUNCATED");
    expect(TEXT.startsWith(found[1]?.[1] ?? "none")).toBe(true);
    expect(found).toHaveLength(2);
    expect((await openAnyWay("x", bytes.subarray(0, -30))).map(([name, , code]) => [name, code])).toEqual([
      ["x!a", undefined],
      ["x!b", undefined],
      ["x", "ERR_URLMILL_TRUNCATED"],
    ]);
  });

  it("with a directory that is wrong says so", async () => {
    const bytes = zip([{ name: "a", text: SHORT }]);
    bytes.fill(0, bytes.length - 40, bytes.length - 22);
    bytes.writeUInt16LE(2, bytes.length - 12);
    expect((await openAsFile("x", bytes)).at(-1)).toEqual(["x", "", "ERR_URLMILL_CORRUPT"]);
  });
});

describe("containers in each other", () => {
  it("are opened", async () => {
    const inner = zip([
      { name: "a", text: TEXT },
      { name: "b.gz", text: gzipSync(SHORT) },
    ]);
    const files = [
      { name: "in.zip", text: inner },
      { name: "c.xz", text: XZ },
      { name: "d.bz2", text: BZIP2 },
      { name: "e.tgz", text: gzipSync(tar([{ name: "f", text: SHORT }])) },
    ];
    const found = [
      ["o!in.zip!a", TEXT],
      ["o!in.zip!b.gz", SHORT],
      ["o!c.xz", TEXT],
      ["o!d.bz2", TEXT],
      ["o!e.tgz!f", SHORT],
    ];
    expect(await openAnyWay("o", tar(files))).toEqual(found);
    expect(await openAnyWay("o", gzipSync(tar(files)))).toEqual(found);
    expect(await openAnyWay("o", zip(files.map((file) => ({ ...file, isOpenEnded: true }))))).toEqual(found);
    expect(await openAnyWay("o", zip(files.map((file) => ({ ...file, method: 0 }))))).toEqual(found);
  });

  it("that are broken leave the others as they are", async () => {
    const files = [
      { name: "cut.gz", text: gzipSync(TEXT).subarray(0, 300) },
      { name: "cut.zip", text: zip([{ name: "a", text: SHORT }]).subarray(0, 45) },
      { name: "cut.tgz", text: gzipSync(tar([{ name: "a", text: TEXT }])).subarray(0, 300) },
      { name: "b", text: SHORT },
    ];
    for (const bytes of [tar(files), zip(files), gzipSync(zip(files))]) {
      const found = await openBytes("o", bytes);
      expect(found.map(([name, , code]) => [name, code])).toEqual([
        ["o!cut.gz", "ERR_URLMILL_TRUNCATED"],
        ["o!cut.zip!a", "ERR_URLMILL_TRUNCATED"],
        ["o!cut.tgz!a", "ERR_URLMILL_TRUNCATED"],
        ["o!b", undefined],
      ]);
      expect(found.at(-1)?.[1]).toBe(SHORT);
    }
  });

  it("of which the outer one is cut off say so once", async () => {
    const noise = Array.from({ length: 2000 }, (_, index) => `${(index * 7919) % 99_991}\n`).join("");
    const bytes = gzipSync(
      tar([
        { name: "a", text: SHORT },
        { name: "b", text: noise },
      ]),
    );
    const found = await openBytes("o", bytes.subarray(0, 2000));
    expect(found.map(([name, , code]) => [name, code])).toEqual([
      ["o!a", undefined],
      ["o!b", "ERR_URLMILL_TRUNCATED"],
    ]);
    expect(noise.startsWith(found[1]?.[1] ?? "none")).toBe(true);
  });

  it.each([
    ["stored", 0],
    ["deflated", 8],
  ])("of which the outer one is damaged where the inner one ends say that it is damaged: a %s file", async (_, method) => {
    const archive = zip([{ name: "a", text: SHORT, method, isOpenEnded: true }]);
    const start = deflateRawSync(archive.subarray(0, archive.indexOf("PK\x07\x08")), { finishFlush: constants.Z_SYNC_FLUSH });
    // A block of a type that does not exist.
    const bytes = Buffer.concat([Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3]), start, Buffer.from([7])]);
    for (const size of [1, 39, undefined]) expect(await openBytes("o", bytes, {}, size)).toEqual([["o!a", SHORT, "ERR_URLMILL_CORRUPT"]]);
  });
});
