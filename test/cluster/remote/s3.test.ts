// Objects and results in a stand-in for S3, through the SDK of AWS and a network that fails.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { Remote } from "../../../src/cluster/remote/remote.ts";
import type { Store } from "../../../src/cluster/store.ts";
import { newFolder, removeFolder } from "../../cli/run.ts";
import { FaultyProxy } from "./faulty-proxy.ts";
import { S3StandIn } from "./s3-stand-in.ts";

const WHOLE = Buffer.from(Array.from({ length: 300_000 }, (_, index) => (index * 31 + (index >> 8)) & 0xff));

let folder: string;
let s3: S3StandIn;
let proxy: FaultyProxy;

beforeAll(async () => {
  folder = newFolder();
  s3 = await S3StandIn.open();
  proxy = await FaultyProxy.open({ port: s3.port });
  vi.stubEnv("AWS_ENDPOINT_URL", proxy.url);
  vi.stubEnv("AWS_REGION", "us-east-1");
  vi.stubEnv("AWS_ACCESS_KEY_ID", "stand-in");
  vi.stubEnv("AWS_SECRET_ACCESS_KEY", "stand-in");
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await proxy.close();
  await s3.close();
  removeFolder(folder);
});
beforeEach(() => {
  s3.objects.clear();
  proxy.expect();
});

const remote = (retries?: number): Remote => new Remote(proxy.patience(retries));

async function joined(chunks: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const all: Uint8Array[] = [];
  for await (const chunk of chunks) all.push(chunk.slice());
  return Buffer.concat(all);
}

async function listed<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}

function made(name: string, bytes: string | Uint8Array): string {
  const path = join(folder, name);
  writeFileSync(path, bytes);
  return path;
}

it("an object is whole, and nothing comes twice, whatever the network does", async () => {
  s3.objects.set("bucket/a/?#%20 ü.txt", WHOLE);
  const input = await remote(5).open("s3://bucket/a/?#%20 ü.txt");
  proxy.expect({ cutAfter: 0 }, { status: 503 }, { cutAfter: 100_000 }, { stallAfter: 20_000 }, { status: 500 }, { pieceBytes: 4001 });
  expect((await joined(input.chunks(77, input.size))).equals(WHOLE.subarray(77))).toBe(true);
  expect(proxy.faults).toEqual([]);
  expect(proxy.asked.every(({ headers }) => headers["if-match"] === input.version.etag)).toBe(true);
});

it("many objects are read over one connection", async () => {
  const names = ["a", "b", "c", "d"].map((name) => `s3://bucket/${name}`);
  for (const name of names) s3.objects.set(name.slice("s3://".length), WHOLE);
  const one = remote();
  for (const name of names) {
    const input = await one.open(name);
    expect(await joined(input.chunks(0, input.size))).toHaveLength(WHOLE.length);
  }
  expect(proxy.asked).toHaveLength(8);
  expect(proxy.connections).toBe(1);
});

it("an object that changes is refused, and one that is missing has no more tries", async () => {
  s3.objects.set("bucket/x", WHOLE);
  const input = await remote().open("s3://bucket/x");
  s3.objects.set("bucket/x", WHOLE.subarray(1));
  await expect(joined(input.chunks(0, input.size))).rejects.toMatchObject({ code: "ERR_URLMILL_CHANGED" });
  await expect(remote().open("s3://bucket/y")).rejects.toMatchObject({ code: "ENOENT" });
  proxy.expect({ status: 403 });
  await expect(remote().open("s3://bucket/x")).rejects.toMatchObject({ code: "EACCES" });
  proxy.expect({ status: 503 }, { status: 503 });
  await expect(remote(1).open("s3://bucket/x")).rejects.toMatchObject({ code: "ERR_URLMILL_UNAVAILABLE" });
  expect(proxy.asked).toHaveLength(2);
});

it("a prefix is all objects below it, page after page, in the order of their keys", async () => {
  const keys = ["in/a", "in/a-b", "in/a/b", "in/b & <c>", "in/ü", "in/z/", "in/z/1", "other", "in-not"];
  for (const key of keys) s3.objects.set(`bucket/${key}`, Buffer.from(key));
  proxy.expect({ status: 503 }, {}, { cutAfter: 10 });
  const found = await listed(remote().list("s3://bucket/in/"));
  expect(found.map(({ name }) => name)).toEqual(
    ["in/a", "in/a-b", "in/a/b", "in/b & <c>", "in/z/1", "in/ü"].map((key) => `s3://bucket/${key}`),
  );
  expect(found.map(({ size }) => size)).toEqual([4, 6, 6, 10, 6, 5]);
  // Lists tell what is needed of each object.
  expect(proxy.asked.filter(({ path }) => !path.includes("list-type"))).toEqual([]);
  expect((await joined((found[3] as (typeof found)[0]).chunks(0, 99))).toString()).toBe("in/b & <c>");
  expect(await listed(remote().list("s3://bucket"))).toHaveLength(8);
  expect((await listed(remote().list("s3://bucket/other"))).map(({ name }) => name)).toEqual(["s3://bucket/other"]);
  await expect(listed(remote().list("s3:///x"))).rejects.toThrow(/must be s3:\/\/bucket\/key or s3:\/\/bucket\/prefix\//);
});

it("a list whose pages come again is refused", async () => {
  for (const key of ["a", "b", "c", "d"]) s3.objects.set(`bucket/in/${key}`, Buffer.from(key));
  s3.repeatsPages = true;
  const message = /^s3:\/\/bucket\/in\/: the server lists the same objects again and again$/;
  await expect(listed(remote().list("s3://bucket/in/"))).rejects.toMatchObject({ code: "ERR_URLMILL_REFUSED", message });
  s3.hasNoEnd = true;
  await expect(listed(remote().list("s3://bucket/in/"))).rejects.toMatchObject({ code: "ERR_URLMILL_REFUSED", message });
  s3.repeatsPages = false;
  await expect(listed(remote().list("s3://bucket/in/"))).rejects.toMatchObject({ code: "ERR_URLMILL_REFUSED", message });
  s3.hasNoEnd = false;
});

it("a result is there once, whoever is first", async () => {
  const store = await remote().store("s3://bucket/out");
  const first = made("first", WHOLE);
  await store.commit(first, "00001-x.results");
  await store.commit(made("second", "other"), "00001-x.results");
  expect(proxy.asked.map(({ method, headers }) => [method, headers["if-none-match"]])).toEqual([
    ["PUT", "*"],
    ["PUT", "*"],
  ]);
  expect([...s3.objects]).toEqual([["bucket/out/00001-x.results", WHOLE]]);
  expect((await joined(store.read("00001-x.results"))).equals(WHOLE)).toBe(true);
});

it("of two writers at once one is first", async () => {
  const store = await remote().store("s3://bucket/out/");
  const commits = ["a", "b", "c", "d"].map((text) => store.commit(made(text, text), "marker"));
  await Promise.all(commits);
  expect(proxy.asked).toHaveLength(4);
  expect(["a", "b", "c", "d"]).toContain(s3.objects.get("bucket/out/marker")?.toString());
});

it("a write that fails is made again, and one that was lost on its way back is there", async () => {
  const store = await remote().store("s3://bucket/out/");
  proxy.expect({ status: 503 }, { status: 409 }, { status: 500 });
  await store.commit(made("x", WHOLE), "x");
  proxy.expect({ isLost: true });
  await store.commit(made("y", WHOLE), "y");
  expect(proxy.asked).toHaveLength(2);
  expect([...s3.objects.values()].map((bytes) => bytes.equals(WHOLE))).toEqual([true, true]);
  proxy.expect(...Array.from({ length: 9 }, () => ({ status: 503 })));
  await expect(store.commit(made("z", "z"), "z")).rejects.toMatchObject({ code: "ERR_URLMILL_UNAVAILABLE" });
});

it("results are listed, and those that are wrong are removed", async () => {
  const store: Store = await remote().store("s3://bucket/out");
  for (const name of ["a", "b", "c", "d", "e"]) await store.commit(made(name, name), name);
  s3.objects.set("bucket/out/folder/x", WHOLE);
  s3.objects.set("bucket/outside", WHOLE);
  expect((await listed(store.list())).map(({ name, size }) => [name, size()])).toEqual(["a", "b", "c", "d", "e"].map((name) => [name, 1]));
  await store.remove("b");
  await store.remove("b");
  expect((await listed(store.list())).map(({ name }) => name)).toEqual(["a", "c", "d", "e"]);
  await expect(joined(store.read("b"))).rejects.toMatchObject({ code: "ENOENT" });
  expect(await joined(store.read("c"))).toEqual(readFileSync(made("c", "c")));
});
