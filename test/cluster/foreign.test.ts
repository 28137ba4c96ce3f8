// Files of a plan and of results that somebody else has written, with the right checksums: they name nothing outside the folder, and no
// number in them makes a run without an end.
import { existsSync, linkSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { checkedJson, checkedValue } from "../../src/cluster/checked-json.ts";
import { isWhole, ResultWriter } from "../../src/cluster/frames.ts";
import { isResultFile, isTotals, type Marker } from "../../src/cluster/marker.ts";
import { plan } from "../../src/cluster/plan.ts";
import { isShard, PlanFile, type PlanLine } from "../../src/cluster/plan-file.ts";
import { runShard } from "../../src/cluster/shard.ts";
import { verify } from "../../src/cluster/verify.ts";
import { emptyTotals } from "../../src/run/totals.ts";
import { pathOf, put, useFolder } from "../threads/folder.ts";
import { makePlan, mergedText, type Planned, runAll } from "./shards.ts";

useFolder();

const URLS = "http://a.example/\nhttp://b.example/\n";
const HASH = "a".repeat(64);

const planOf = (options: Parameters<typeof makePlan>[1] = {}): Promise<Planned> => makePlan([put("urls", URLS)], options);

async function undoneOf({ plan, store }: Planned): Promise<string[]> {
  const found: string[] = [];
  for await (const { message } of verify(plan, store, { hash: true })) found.push(message);
  return found;
}

function change<T extends object>(path: string, changeOf: (value: T) => object): void {
  writeFileSync(path, checkedJson(changeOf(checkedValue<T>(readFileSync(path, "utf8")) as T)));
}

describe("a marker with a right checksum", () => {
  it.each<[string, (marker: Marker) => object]>([
    ["../precious.txt", ({ results }) => ({ results: { ...results, name: "../precious.txt" } })],
    ["an absolute path", ({ results }) => ({ results: { ...results, name: pathOf("precious.txt") } })],
    ["another file of the folder", ({ results }) => ({ results: { ...results, name: "notes.results" } })],
    ["a name with a NUL", ({ results }) => ({ results: { ...results, name: `${results.name}\0` } })],
    ["no results", () => ({ results: null })],
    ["more records than bytes", () => ({ rows: 2 ** 52 })],
    ["totals that are none", () => ({ totals: { ...emptyTotals(), kinds: { length: 1e9 } } })],
    ["an unknown omission", () => ({ totals: { ...emptyTotals(), omitted: { other: { count: 1, first: { reason: "pdf" } } } } })],
    [
      "types of attachments that are none",
      () => ({ totals: { ...emptyTotals(), omitted: { attachment: { count: 1, first: { reason: "attachment" }, types: null } } } }),
    ],
    ["a length that is none", ({ results }) => ({ results: { ...results, bytes: -1 } })],
  ])("that has %s is damaged, and takes no file with it", async (_, changes) => {
    const planned = await planOf();
    const [precious, notes] = [pathOf("precious.txt"), join(planned.folder, "notes.results")];
    for (const path of [precious, join(planned.folder, "../precious.txt"), notes]) writeFileSync(path, "precious");
    await runAll(planned);
    change<Marker>(join(planned.folder, "00000.json"), (marker) => ({ ...marker, ...changes(marker) }));
    await expect(mergedText(planned)).rejects.toMatchObject({ code: "ERR_URLMILL_RESULTS", message: /^00000\.json is damaged; / });
    expect(await undoneOf(planned)).toEqual(["shard 0: 00000.json is damaged"]);
    for (const path of [precious, join(planned.folder, "../precious.txt"), notes]) expect(readFileSync(path, "utf8")).toBe("precious");
    expect(existsSync(join(planned.folder, "00000.json"))).toBe(false);
    await runAll(planned);
    expect(await mergedText(planned)).toBe(URLS);
  });
});

describe("a link", () => {
  it("in the place of a marker or of results is not followed", async () => {
    for (const name of ["00000.json", undefined]) {
      const planned = await planOf();
      const [marker] = await runAll(planned);
      const path = join(planned.folder, name ?? (marker?.results.name as string));
      const elsewhere = pathOf(`elsewhere-${name}`);
      renameSync(path, elsewhere);
      symlinkSync(elsewhere, path);
      await expect(mergedText(planned)).rejects.toMatchObject({
        code: "ERR_URLMILL_RESULTS",
        message: expect.stringContaining(" is damaged; "),
      });
      expect(await undoneOf(planned)).toEqual([expect.stringMatching(/^shard 0: 00000\S+ is damaged$/)]);
      expect(existsSync(elsewhere)).toBe(true);
      expect(existsSync(path)).toBe(false);
      await runAll(planned);
      expect(await mergedText(planned)).toBe(URLS);
    }
  });

  it("without a target is no marker", async () => {
    const planned = await planOf();
    symlinkSync(pathOf("nowhere"), join(planned.folder, "00000.json"));
    expect(await undoneOf(planned)).toEqual(["shard 0: 00000.json is damaged"]);
    await runAll(planned);
    expect(existsSync(pathOf("nowhere"))).toBe(false);
  });

  it("has another name for a file that is one: results may have several", async () => {
    const planned = await planOf();
    await runAll(planned);
    linkSync(join(planned.folder, "00000.json"), pathOf("copy"));
    expect(await mergedText(planned)).toBe(URLS);
    rmSync(pathOf("copy"));
  });
});

describe("a plan", () => {
  const linesOf = async (): Promise<PlanLine[]> => {
    const lines: PlanLine[] = [];
    for await (const line of plan([put("urls", URLS)])) lines.push(line);
    return lines;
  };
  const open = (lines: readonly object[]): Promise<PlanFile> => {
    writeFileSync(pathOf("plan"), lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
    return PlanFile.open(pathOf("plan"));
  };

  it.each<[string, object]>([
    ["an output", { options: { output: "/tmp/x" } }],
    ["a checkpoint", { options: { checkpoint: "/tmp/x" } }],
    ["no options", { options: null }],
    ["another command", { command: "verify" }],
  ])("whose header has %s is damaged", async (_, changes) => {
    const [header, ...rest] = await linesOf();
    await expect(open([{ ...header, ...changes }, ...rest])).rejects.toMatchObject({ code: "ERR_URLMILL_PLAN", message: / is damaged: / });
  });

  it("whose shard has another form is damaged, also where it comes alone", async () => {
    const [header, shard, end] = (await linesOf()) as [PlanLine, { inputs: object[] }, PlanLine];
    const planned = await planOf();
    for (const input of [null, 1, {}, { uri: 1 }, { uri: "x", size: 1e300 }, { uri: "x", size: 1, from: -1 }, { uri: "a\0b", size: 1 }]) {
      const other = { ...shard, inputs: [input] };
      await expect((await open([header, other, end])).shard(0)).rejects.toMatchObject({ code: "ERR_URLMILL_PLAN" });
      await expect(runShard(planned.plan.header, other as never, planned.store)).rejects.toMatchObject({ code: "ERR_URLMILL_PLAN" });
    }
    expect(isShard({ ...shard, inputs: [{ omitted: { reason: "__proto__" } }] })).toBe(false);
    expect(isShard({ ...shard, inputs: [{ omitted: { reason: "link", source: "a" } }] })).toBe(true);
  });

  it("has a limit of shards", async () => {
    const path = put("urls", "x".repeat(1_000_001));
    const all = async (): Promise<void> => {
      for await (const line of plan([path], { shardBytes: 1 })) expect(line).toHaveProperty("urlmill");
    };
    const message = `${path} would be more than 1,000,000 shards of 1 bytes; give a larger --shard-bytes`;
    await expect(all()).rejects.toMatchObject({ code: "ERR_URLMILL_PLAN", message });
  });

  it.each([
    ["9".repeat(400), /: the server tells a size that no file has$/],
    [String(2 ** 53), /: the server tells a size that no file has$/],
    [String(2 ** 52), / would be more than 1,000,000 shards of 268435456 bytes; give a larger --shard-bytes$/],
  ])("of an object of %s bytes is refused before its first shard", async (size, message) => {
    const server = createServer((_, answer) => {
      answer.writeHead(206, { "content-range": `bytes 0-0/${size}`, "content-length": 1 }).end("x");
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const lines: PlanLine[] = [];
    const all = (async () => {
      for await (const line of plan([`http://127.0.0.1:${(server.address() as AddressInfo).port}/x`])) lines.push(line);
    })();
    await expect(all).rejects.toMatchObject({ message });
    expect(lines.length).toBe(1);
    server.closeAllConnections();
    server.close();
  });
});

describe("values that were not written here", () => {
  it("are told by their form", () => {
    const file = { name: `00001-${HASH}.results`, hash: HASH, bytes: 3 };
    expect(isResultFile(file, "00001")).toBe(true);
    for (const other of [{ name: `00002-${HASH}.results` }, { hash: "../x" }, { hash: HASH.toUpperCase() }, { bytes: 1.5 }, { bytes: "3" }])
      expect(isResultFile({ ...file, ...other }, "00001")).toBe(false);
    expect(isTotals(JSON.parse(JSON.stringify(emptyTotals())))).toBe(true);
    expect(isTotals({ ...emptyTotals(), omitted: { link: { count: 1, first: { reason: "link", source: "a" } } } })).toBe(true);
    for (const other of [
      { bytes: -1 },
      { kinds: ["1"] },
      { omitted: { x: { count: 1, first: { reason: "x" } } } },
      { archive: Array(999) },
    ])
      expect(isTotals({ ...emptyTotals(), ...other })).toBe(false);
  });

  it("are damage of a file of results, for a merge and for verify", async () => {
    const planned = await planOf();
    await runAll(planned);
    const writer = new ResultWriter(planned.store, "00000");
    writer.write({ kind: "groups", bytes: new Uint8Array(4), count: 2 });
    const results = await writer.commit();
    change<Marker>(join(planned.folder, "00000.json"), (marker) => ({ ...marker, results }));
    await expect(mergedText(planned)).rejects.toMatchObject({ code: "ERR_URLMILL_RESULTS", file: results.name, state: "damaged" });
    expect(await undoneOf(planned)).toEqual([`shard 0: ${results.name} is damaged`]);
    await runAll(planned);
    expect(await mergedText(planned)).toBe(URLS);
  });

  it("have no more rows than bytes", () => {
    const rows = new Int32Array(28);
    expect(isWhole({ kind: "matches", count: 2, rows })).toBe(true);
    for (const count of [3, 2 ** 52, -1, 1.5, undefined]) expect(isWhole({ kind: "matches", count, rows })).toBe(false);
    expect(isWhole({ kind: "groups", count: 1e15, bytes: new Uint8Array(36) })).toBe(false);
    expect(isWhole({ kind: "omitted", omission: { reason: "__proto__" } })).toBe(false);
    for (const value of [null, undefined, 1, {}, { kind: 1 }]) expect(isWhole(value)).toBe(false);
  });
});
