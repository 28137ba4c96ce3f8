// Archives and compressed data as Python's modules read them (tools/list-archive.py, where there is a python3): generated ones, whole and
// mutated. Names, order and bytes agree, or an error names the difference. zstd is compared with the command of that name, if it is there.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { decodeName } from "../../src/input/containers/entry.ts";
import { recognizeContainer } from "../../src/input/containers/recognize.ts";
import { RUNS, seeded } from "../core/check.ts";
import { openAsFile, openBytes, type Read } from "./open.ts";
import { LONG, TEXT } from "./packed.ts";
import { compressed, mutation, tars, zips } from "./pieces.ts";

const SCRIPT = resolve(import.meta.dirname, "../../tools/list-archive.py");
const has = (program: string): boolean => spawnSync(program, ["--version"]).status === 0;
const hasPython = has("python3");
const hasZstd = has("zstd");
const settings = { numRuns: 60 * RUNS, ...seeded };

/** Errors of Python for what it does not read although nothing is wrong, or reads by a field that says nothing of the text. */
const UNREAD = new Set(["NotImplementedError", "UnicodeDecodeError"]);

interface Listed {
  members: [name: string | null, digest: string, bytes: number, error: string | null][];
  error: string | null;
}

let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "urlmill-archives-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** What Python reads of each of `inputs`. */
function listByPython(inputs: readonly Buffer[]): Listed[] {
  const paths = inputs.map((bytes, index) => {
    const path = join(folder, `${index}`);
    writeFileSync(path, bytes);
    return path;
  });
  const { stdout, stderr, status } = spawnSync("python3", [SCRIPT], { input: `${paths.join("\n")}\n`, maxBuffer: 1 << 28 });
  if (status !== 0) throw new Error(stderr.toString());
  return stdout
    .toString()
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Listed);
}

const digestOf = (text: string): string => createHash("sha256").update(text, "latin1").digest("hex");
/** Members with their names and the digests of their texts. */
const rowsOf = (found: readonly Read[]): string[] =>
  found.filter(([name, , code]) => name !== "x" || code === undefined).map(([name, text]) => `${name?.slice(2)} ${digestOf(text)}`);

/** A name as urlmill shows it. Python has bytes that are not UTF-8 as halves of surrogate pairs. */
function shownName(raw: string): string {
  const bytes = Buffer.concat(
    [...raw].map((one) => (/[\udc80-\udcff]/.test(one) ? Buffer.of(one.charCodeAt(0) & 0xff) : Buffer.from(one))),
  );
  return decodeName(bytes);
}

/** Generated inputs; mutated ones are still recognized as what they were. */
function generate(whole: fc.Arbitrary<Buffer>, isMutated: boolean): Buffer[] {
  const made = isMutated
    ? fc.tuple(whole, fc.array(mutation, { maxLength: 2 })).map(([bytes, steps]) => {
        const changed = steps.reduce((before, step) => step(before), bytes);
        const [before, after] = [bytes, changed].map((one) => recognizeContainer(one.subarray(0, 512)));
        return before === after && changed.length > 8 ? changed : bytes;
      })
    : whole;
  return fc.sample(made, settings);
}

describe.runIf(hasPython)("archives as Python reads them", () => {
  const kinds: readonly (readonly [kind: string, inputs: fc.Arbitrary<Buffer>])[] = [
    ["zip", zips],
    ["tar", tars],
    ["compressed", compressed],
  ];

  it.each(kinds)("%s, whole", async (_, arbitrary) => {
    const inputs = generate(arbitrary, false);
    const listed = listByPython(inputs);
    for (const [index, bytes] of inputs.entries()) {
      const found = await openBytes("x", bytes);
      expect(await openAsFile("x", bytes)).toEqual(found);
      expect(found.filter(([, , code]) => code !== undefined)).toEqual([]);
      expect(rowsOf(found)).toEqual(listed[index]?.members.map(([member, digest]) => `${member ?? ""} ${digest}`));
      expect(listed[index]?.error).toBe(null);
    }
  });

  it.each(kinds)("%s, mutated", async (kind, arbitrary) => {
    const inputs = generate(arbitrary, true);
    const listed = listByPython(inputs);
    const counts = { same: 0, bothWrong: 0, named: 0 };
    for (const [index, bytes] of inputs.entries()) {
      const { members, error } = listed[index] as Listed;
      for (const found of [await openBytes("x", bytes, {}, undefined, "latin1"), await openAsFile("x", bytes, {}, "latin1")]) {
        const isNamed = found.some(([, , code]) => code !== undefined);
        const wanted = members.map(([member, digest]) => `${shownName(member ?? "")} ${digest}`);
        const names = [members.map(([one]) => one), found.map(([one, , code]) => [one, code])];
        const seen = `${kind} ${index}, ${bytes.length} bytes: ${JSON.stringify([error, ...names])}`;
        if (isNamed) counts[error === null ? "named" : "bothWrong"]++;
        else {
          // Nothing is wrong here: so for Python, and all is the same.
          if (error !== null) expect(UNREAD, seen).toContain(error);
          else expect(rowsOf(found), seen).toEqual(wanted);
          counts.same++;
        }
      }
    }
    // Both happen: nearly every byte of these formats is under a checksum.
    expect(counts.same).toBeGreaterThan(0);
    expect(counts.bothWrong).toBeGreaterThan(RUNS / 20);
  });
});

describe.runIf(hasPython)("a zip archive with numbers of 64 bits", () => {
  const write = [
    "import sys, zipfile",
    "with zipfile.ZipFile(sys.argv[1], 'w') as archive:",
    "    for index in range(int(sys.argv[2])): archive.writestr(str(index), '' if index % 1000 else 'text %d' % index)",
    "    link = zipfile.ZipInfo('link')",
    "    link.create_system, link.external_attr = 3, 0o120777 << 16",
    "    archive.writestr(link, 'target')",
    "    with archive.open('long', 'w', force_zip64=True) as file: file.write(b'long')",
  ].join("\n");

  it.each([1, 66_000])("is read: %d files and one", async (count) => {
    const path = join(folder, "long.zip");
    expect(spawnSync("python3", ["-c", write, path, `${count}`]).status).toBe(0);
    const bytes = readFileSync(path);
    const streamed = await openBytes("x", bytes);
    const found = streamed.filter(([member]) => member !== "x!link");
    // Only the directory tells that it is a link.
    expect(streamed).toHaveLength(found.length + 1);
    expect(await openAsFile("x", bytes)).toEqual(found);
    expect(found.filter(([, , code]) => code !== undefined)).toEqual([]);
    expect(found).toHaveLength(count + 1);
    expect(found.at(-1)).toEqual(["x!long", "long"]);
  });
});

describe.runIf(hasZstd)("zstd as its own command writes it", () => {
  const texts = [TEXT, LONG, "", "a", Array.from({ length: 300_000 }, (_, index) => `${(index * 7919) % 99_991}\n`).join("")];
  const forms = [
    ["-1"],
    ["-3"],
    ["-9"],
    ["-19"],
    ["-3", "--long=27"],
    ["--fast=5"],
    ["-3", "--no-check"],
    ["-3", "--zstd=wlog=12"],
    ["-3", "-B100000"],
  ];
  it.each(forms.map((form) => [form.join(" "), form] as const))("%s", async (_, form) => {
    const frames = texts.map((one) => spawnSync("zstd", ["-q", "-c", ...form], { input: one, maxBuffer: 1 << 28 }).stdout);
    for (const [index, frame] of frames.entries()) expect(await openBytes("x", frame)).toEqual([["x", texts[index]]]);
    expect(await openBytes("x", Buffer.concat(frames), {}, 100)).toEqual([["x", texts.join("")]]);
  });
});
