// Files of a plan and its results that are damaged, cut short, of another version or no such files at all: each is named for what it is.
import fs, { appendFileSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { join } from "node:path";
import { serialize } from "node:v8";
import { describe, expect, it, vi } from "vitest";
import { ShardThreads } from "../../src/cluster/bullmq.ts";
import { isFinal } from "../../src/cluster/errors.ts";
import { merge } from "../../src/cluster/merge.ts";
import { plan } from "../../src/cluster/plan.ts";
import { PlanFile } from "../../src/cluster/plan-file.ts";
import { runShard } from "../../src/cluster/shard.ts";
import { FolderStore, type Store, type StoredFile } from "../../src/cluster/store.ts";
import { verify } from "../../src/cluster/verify.ts";
import { SpillFile } from "../../src/count/spill.ts";
import { newPosition } from "../../src/run/run-position.ts";
import { pathOf, put, useFolder } from "../threads/folder.ts";
import { makePlan, mergedText, type Planned, runAll } from "./shards.ts";

useFolder();

const URLS = "http://a.example/\nhttp://b.example/\n";

const planOf = (options: Parameters<typeof makePlan>[1] = {}): Promise<Planned> => makePlan([put("urls", URLS)], options);
const run = async ({ plan, store }: Planned, id = 0): Promise<unknown> => runShard(plan.header, await plan.shard(id), store);

async function undoneOf({ plan, store }: Planned): Promise<string[]> {
  const found: string[] = [];
  for await (const { id, reason, message } of verify(plan, store)) found.push(`${id} ${reason}: ${message}`);
  return found;
}

/** Returns a store that does some things in another way. */
function watchedStore(store: Store, other: Partial<Store>): Store {
  const { unfinished } = store;
  return {
    unfinished,
    commit: (path, name) => store.commit(path, name),
    read: (name) => store.read(name),
    list: () => store.list(),
    remove: (name) => store.remove(name),
    ...other,
  };
}

/** Runs `act` while a function of node:fs is another one. */
async function withFs<T>(changes: Partial<typeof fs>, act: () => Promise<T>): Promise<T> {
  const kept = Object.fromEntries(Object.keys(changes).map((name) => [name, fs[name as keyof typeof fs]]));
  Object.assign(fs, changes);
  syncBuiltinESMExports();
  try {
    return await act();
  } finally {
    Object.assign(fs, kept);
    syncBuiltinESMExports();
  }
}

function diskFull(): never {
  throw Object.assign(new Error("ENOSPC: no space left on device, write"), { code: "ENOSPC", syscall: "write" });
}

describe("a marker", () => {
  it.each(["", "{", '{"shard":0,"wor', "null", "\0\0\0\0"])("that is damaged is named, and removed by verify: %j", async (text) => {
    const planned = await planOf();
    await runAll(planned);
    writeFileSync(join(planned.folder, "00000.json"), text);
    const message = "00000.json is damaged; urlmill verify removes it, so that its shard can be run again";
    await expect(run(planned)).rejects.toMatchObject({ code: "ERR_URLMILL_RESULTS", message });
    await expect(mergedText(planned)).rejects.toMatchObject({ code: "ERR_URLMILL_RESULTS", message });
    expect(await undoneOf(planned)).toEqual(["0 damaged: shard 0: 00000.json is damaged"]);
    await run(planned);
    expect(await undoneOf(planned)).toEqual([]);
    expect(await mergedText(planned)).toBe(URLS);
  });

  it("of another shard is removed by verify", async () => {
    const planned = await planOf({ shardBytes: 18 });
    await runAll(planned);
    fs.renameSync(join(planned.folder, "00000.json"), join(planned.folder, "00001.json"));
    expect(await undoneOf(planned)).toEqual(["0 missing: shard 0: is not done", "1 damaged: shard 1: 00001.json is damaged"]);
    await runAll(planned);
    expect(await mergedText(planned)).toBe(URLS);
  });

  it("of another plan is not removed", async () => {
    const planned = await planOf();
    await runAll(planned);
    const other = { ...(await planOf({ options: { format: "csv" } })), store: planned.store };
    await expect(run(other)).rejects.toMatchObject({ code: "ERR_URLMILL_PLAN", message: /^00000\.json is of another plan/ });
    expect(await undoneOf(other)).toEqual(["0 other: 00000.json is of another plan"]);
    expect(await mergedText(planned)).toBe(URLS);
  });

  it("that is removed at once, as by a verify, leaves the shard to another try", async () => {
    const planned = await planOf();
    const { plan, store } = planned;
    const commit = async (path: string, name: string): Promise<void> => {
      await store.commit(path, name);
      if (name.endsWith(".json")) await store.remove(name);
    };
    const act = runShard(plan.header, await plan.shard(0), watchedStore(store, { commit }));
    await expect(act).rejects.toMatchObject({ code: "ERR_URLMILL_RESULTS" });
  });
});

/** Returns how many bytes the first result of a file has with its head. */
function firstBytes(bytes: Buffer): number {
  return 16 + bytes.readUInt32LE(4);
}

describe("results", () => {
  it("are gone before their marker, so that no worker finds a marker without them", async () => {
    const planned = await planOf();
    await runAll(planned);
    const [results = ""] = readdirSync(planned.folder).filter((name) => name.endsWith(".results"));
    const removed: string[] = [];
    const { store } = planned;
    appendFileSync(join(planned.folder, results), "x");
    const watched = watchedStore(store, { remove: async (name) => void removed.push(name) });
    for await (const _ of verify(planned.plan, watched, { hash: true }));
    expect(removed).toEqual([results, "00000.json"]);
  });

  it("that are other values are damaged, not an error of the merge", async () => {
    const planned = await planOf({ command: "report", options: { json: true } });
    const [marker] = await runAll(planned);
    const other = serialize({ kind: "summary" });
    const length = Buffer.alloc(4);
    length.writeUInt32LE(other.length);
    writeFileSync(join(planned.folder, marker?.results.name ?? ""), Buffer.concat([length, other]));
    await expect(mergedText(planned)).rejects.toMatchObject({
      code: "ERR_URLMILL_RESULTS",
      message: expect.stringContaining(" is damaged; "),
    });
  });

  it.each([
    ["with zeros at the end, as after a crash", (bytes: Buffer) => Buffer.concat([bytes.subarray(0, -16), Buffer.alloc(16)])],
    ["without the last", (bytes: Buffer) => bytes.subarray(0, firstBytes(bytes))],
    ["with one more", (bytes: Buffer) => Buffer.concat([bytes, bytes.subarray(0, firstBytes(bytes))])],
    ["with another byte in a URL", (bytes: Buffer) => Buffer.from(bytes.toString("latin1").replace("b.example", "c.example"), "latin1")],
    ["with another number of records", (bytes: Buffer) => Buffer.from(bytes).fill(9, 8, 9)],
    ["with another mark", (bytes: Buffer) => Buffer.from(bytes).fill(0xff, 12, 16)],
    ["with a length beyond all", (bytes: Buffer) => Buffer.from(bytes).fill(0xff, 4, 8)],
    ["that are nothing", () => Buffer.alloc(0)],
  ] as const)("%s are damaged", async (_, change) => {
    // The one that is not there is a result between the others.
    const planned = await makePlan([put("urls", URLS), pathOf("absent"), put("more", URLS)], { options: {} });
    const [marker] = await runAll(planned);
    const file = join(planned.folder, marker?.results.name ?? "");
    const bytes = readFileSync(file);
    expect(firstBytes(bytes)).toBeLessThan(bytes.length);
    writeFileSync(file, change(bytes));
    const message = `${marker?.results.name} is damaged; urlmill verify --hash removes it, so that its shard can be run again`;
    await expect(mergedText(planned)).rejects.toMatchObject({ code: "ERR_URLMILL_RESULTS", message });
  });

  it("have a folder, whose name is in the error", async () => {
    const planned = await planOf();
    const at = (name: string): Planned => ({ ...planned, store: new FolderStore(name) });
    const absent = pathOf("absent");
    await expect(undoneOf(at(absent))).rejects.toMatchObject({ code: "ENOENT", message: `${absent}: cannot be read (ENOENT)` });
    const file = put("file", "");
    await expect(run(at(file))).rejects.toMatchObject({
      code: "ERR_URLMILL_PLAN",
      message: `${file} is a file, or in one; results need a folder`,
    });
  });

  it("that got their name while a list was made are not removed", async () => {
    const planned = await planOf();
    await runAll(planned);
    // A list is no picture of one moment: it may have the marker, which came later.
    const list = async function* (): AsyncGenerator<StoredFile> {
      yield { name: "00000.json", size: () => 1 };
    };
    for await (const undone of verify(planned.plan, watchedStore(planned.store, { list }))) expect(undone).toBeUndefined();
    expect(await mergedText(planned)).toBe(URLS);
  });

  it("and markers that got their name while a list was made are merged", async () => {
    const planned = await planOf();
    await runAll(planned);
    const list = async function* (): AsyncGenerator<StoredFile> {};
    expect(await mergedText({ ...planned, store: watchedStore(planned.store, { list }) })).toBe(URLS);
  });

  it("leave no unfinished file where they cannot get their name", async () => {
    const planned = await planOf();
    const linkSync = (() => diskFull()) as typeof fs.linkSync;
    await expect(withFs({ linkSync }, () => run(planned))).rejects.toMatchObject({ code: "ENOSPC" });
    expect(readdirSync(planned.folder)).toEqual([]);
  });

  it("that cannot be opened, or have no marker, leave none", async () => {
    const planned = await planOf();
    const message = `${planned.folder}: cannot be written (ENOSPC)`;
    await expect(withFs({ openSync: diskFull }, () => run(planned))).rejects.toMatchObject({ code: "ENOSPC", message });
    expect(readdirSync(planned.folder)).toEqual([]);
    await expect(withFs({ writeFileSync: diskFull }, () => run(planned))).rejects.toMatchObject({ code: "ENOSPC", message });
    expect(readdirSync(planned.folder)).not.toContain("00000.json");
  });

  it("that found no room on the disk fail the shard, not its source", async () => {
    // More than is written at a time, so that some is written while the source is read.
    const urls = Array.from({ length: 100_000 }, (_, index) => `http://h${index}.example/\n`).join("");
    const planned = await makePlan([put("many", urls)], { options: { unique: true } });
    const { writeSync } = fs;
    let isFull = true;
    const once = ((fd: number, ...rest: [Uint8Array]) => {
      if (!isFull) return writeSync(fd, ...rest);
      isFull = false;
      return diskFull();
    }) as typeof writeSync;
    const message = `${planned.folder}: cannot be written (ENOSPC)`;
    await expect(withFs({ writeSync: once }, () => run(planned))).rejects.toMatchObject({ code: "ENOSPC", message });
    expect(readdirSync(planned.folder)).toEqual([]);
    await run(planned);
    expect(await mergedText(planned)).toBe(urls);
  });
});

describe("a plan", () => {
  const rejection = async (act: Promise<unknown>): Promise<{ message: string; isFinal: boolean }> => {
    const error = await act.then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    return { message: (error as Error).message.replace(/^\/\S*\//, ""), isFinal: isFinal(error) };
  };

  it.each([
    ["an empty file", ""],
    ["a text", URLS],
    ["other JSON", '{"urlmill":"other"}\n'],
    ["one long line of zeros", Buffer.alloc(3 << 20)],
  ])("is not %s", async (_, bytes) => {
    expect(await rejection(PlanFile.open(put("other", bytes)))).toEqual({ message: "other is no plan of urlmill", isFinal: true });
  });

  it.each([{ shardBytes: 0 }, { shardBytes: Number.NaN }, { options: { match: /a/ } }, { options: { onRejected: () => undefined } }])(
    "with %o is not made",
    async (wrong) => {
      const lines = plan([put("urls", URLS)], { options: { unique: true }, ...wrong });
      await expect(lines.next()).rejects.toMatchObject({ code: expect.stringMatching(/^ERR_URLMILL_(?:BAD|UNKNOWN)_OPTION$/) });
    },
  );

  it("that cannot be read is named", async () => {
    const absent = pathOf("absent/plan");
    expect(await rejection(PlanFile.open(absent))).toEqual({ message: "plan: cannot be read (ENOENT)", isFinal: false });
  });

  it("of another version is not run, also where nobody has read its file", async () => {
    const { plan, store } = await planOf();
    const header = { ...plan.header, version: "0.1.0 (rules 1, Unicode 15.0.0)" };
    const failed = await rejection(runShard(header, await plan.shard(0), store));
    expect(failed).toEqual({ message: expect.stringMatching(/^the plan is of urlmill 0\.1\.0 .* than /), isFinal: true });
  });

  it.each([
    [
      "cut in a shard",
      (text: string) => text.slice(0, text.indexOf('"inputs"') + 20),
      "plan.jsonl is cut off, or damaged: line 2 is not that of shard 0",
    ],
    [
      "without its end",
      (text: string) => text.slice(0, text.lastIndexOf('{"shards"')),
      "plan.jsonl is not complete: its last line is missing",
    ],
  ])("%s is refused for good", async (_, change, message) => {
    const { file } = await planOf();
    writeFileSync(file, change(readFileSync(file, "utf8")));
    const plan = await PlanFile.open(file);
    const failed = await rejection(plan.end());
    expect(failed).toEqual({ message: expect.stringMatching(new RegExp(`${message}$`)), isFinal: true });
  });

  it("whose shards are not those that it was written with is refused for good, but where one of them is run", async () => {
    const { file } = await planOf();
    writeFileSync(file, readFileSync(file, "utf8").replace(/"size":\d+/, '"size":7'));
    const plan = await PlanFile.open(file);
    const message = "plan.jsonl is damaged: its shards are not those that it was written with";
    expect(await rejection(plan.end())).toEqual({ message, isFinal: true });
    expect(await plan.shard(0)).toMatchObject({ inputs: [{ size: 7 }] });
  });

  it("with more after its last line is refused for good", async () => {
    const { file } = await planOf();
    appendFileSync(file, "{}\n");
    const all = async (): Promise<void> => {
      for await (const _ of (await PlanFile.open(file)).shards());
    };
    expect(await rejection(all())).toEqual({ message: "plan.jsonl is damaged: there is more after its last line", isFinal: true });
  });

  it("with options that there are not is refused for good", async () => {
    const { plan, store } = await planOf();
    const header = { ...plan.header, options: { format: "none" } };
    expect(await rejection(runShard(header, await plan.shard(0), store))).toMatchObject({ isFinal: true });
  });
});

describe("a merge", () => {
  it("ends at the first failure if the plan says so", async () => {
    const planned = await makePlan([pathOf("absent"), put("urls", URLS)], { options: { failFast: true } });
    await runAll(planned);
    await expect(mergedText(planned)).rejects.toMatchObject({ code: "ERR_URLMILL_NOT_FOUND" });
  });

  it("that fails leaves no file open", async () => {
    const planned = await planOf({ options: { unique: true }, shardBytes: URLS.length / 2 });
    await runAll(planned);
    await planned.store.remove("00001.json");
    let open = 0;
    const read = async function* (name: string): AsyncGenerator<Uint8Array> {
      open++;
      try {
        yield* planned.store.read(name);
      } finally {
        open--;
      }
    };
    const act = merge(planned.plan, watchedStore(planned.store, { read }), { write: () => undefined });
    await expect(act).rejects.toThrow("shard 1 is not done");
    expect(open).toBe(0);
  });

  it.each([
    ["count", { by: ["url"], countFormat: "csv" }],
    ["extract", { unique: true }],
  ] as const)("of %s gives back the room of what did not fit in memory", async (command, options) => {
    const planned = await planOf({ command, options });
    await runAll(planned);
    const closed = vi.spyOn(SpillFile.prototype, "close");
    await mergedText(planned);
    expect(closed).toHaveBeenCalledTimes(1);
    closed.mockRestore();
  });

  it("whose output cannot be written fails with that", async () => {
    const planned = await planOf();
    await runAll(planned);
    const write = (): Promise<void> => Promise.reject(new Error("full"));
    await expect(merge(planned.plan, planned.store, { write })).rejects.toThrow("full");
  });
});

it("a thread that dies leaves its shard to another try, and its place to another thread", async () => {
  const { plan, folder } = await planOf();
  const task = { header: plan.header, shard: await plan.shard(0), results: folder, read: newPosition().read };
  const threads = new ShardThreads();
  const dying = expect(threads.run(task)).rejects.toThrow();
  await threads.stop();
  await dying;
  expect(await threads.run(task)).toEqual({ rows: 2 });
  expect(await threads.run(task)).toEqual({ rows: 2 });
  await threads.stop();
});
