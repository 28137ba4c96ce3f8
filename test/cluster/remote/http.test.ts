// Objects of a web server, read by ranges over a network that fails: what comes is what is there, once, or an error that says why not.
import { once } from "node:events";
import { mkdirSync, utimesSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { Remote } from "../../../src/cluster/remote/remote.ts";
import { RemoteInput, type RemoteObject } from "../../../src/cluster/remote/remote-input.ts";
import { lastingError, PATIENCE, type Patience } from "../../../src/cluster/remote/tries.ts";
import { newFolder, removeFolder } from "../../cli/run.ts";
import { type Fault, FaultyProxy } from "./faulty-proxy.ts";
import { HAS_NGINX, type Nginx, startNginx } from "./nginx.ts";

const SIZE = 1_000_003;
const WHOLE = Buffer.alloc(SIZE);
for (let at = 0; at < SIZE; at++) WHOLE[at] = (at * 7 + (at >> 8) * 13 + (at >> 16)) & 0xff;

let folder: string;
let nginx: Nginx;
let proxy: FaultyProxy;

async function readAll(input: RemoteInput, from = 0, to = input.size): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of input.chunks(from, to)) chunks.push(chunk.slice());
  return Buffer.concat(chunks);
}

function put(name: string, bytes: string | Uint8Array, seconds = 1_700_000_000): void {
  const path = join(folder, "root", name);
  writeFileSync(path, bytes);
  utimesSync(path, seconds, seconds);
}

const rangesAsked = (): (string | undefined)[] => proxy.asked.map(({ headers }) => headers.range);
const open = (name: string, retries?: number): Promise<RemoteInput> => new Remote(proxy.patience(retries)).open(`${proxy.url}/${name}`);

describe.skipIf(!HAS_NGINX)("an object of nginx (skipped: nginx is not installed)", () => {
  beforeAll(async () => {
    folder = newFolder();
    mkdirSync(join(folder, "root"));
    nginx = await startNginx(folder, join(folder, "root"));
    proxy = await FaultyProxy.open(nginx);
  });
  afterAll(async () => {
    await proxy.close();
    await nginx.stop();
    removeFolder(folder);
  });
  beforeEach(() => {
    put("object", WHOLE);
    proxy.expect();
  });

  it("is given from any byte on, with one request for what is wanted", async () => {
    const input = await open("object");
    expect(input.version).toEqual({ size: SIZE, etag: expect.stringMatching(/^"/) });
    for (const from of [0, 1, 65_536, SIZE - 1]) {
      proxy.expect();
      expect((await readAll(input, from)).equals(WHOLE.subarray(from))).toBe(true);
      expect(rangesAsked()).toEqual([`bytes=${from}-${SIZE - 1}`]);
    }
    expect(await readAll(input, SIZE)).toHaveLength(0);
    expect((await input.load(10, 20)).length).toBe(20);
    expect(Buffer.from(await input.load(SIZE - 5, 20)).equals(WHOLE.subarray(-5))).toBe(true);
  });

  const FAULTS: [string, Fault[]][] = [
    ["cut before the first byte", [{ cutAfter: 0 }]],
    ["cut again and again", Array.from({ length: 40 }, (_, index) => ({ cutAfter: 1 + 977 * index }))],
    ["answers that a server under load gives", [429, 500, 502, 503, 504].flatMap((status) => [{ status }, { cutAfter: 50_000 }])],
    ["stalls before and amid the bytes", [{ stallAfter: 0 }, { stallAfter: 100_000 }, { stallAfter: 1 }]],
    ["slow", [{ pieceBytes: 1009 }]],
    ["all of these", [{ status: 503 }, { cutAfter: 70_001, pieceBytes: 333 }, { stallAfter: 9 }, { status: 502 }, { cutAfter: 1 }]],
  ];
  it.each(FAULTS)("is whole, and nothing comes twice: %s", async (_, faults) => {
    const input = await open("object", 6);
    proxy.expect(...faults);
    expect((await readAll(input, 123)).equals(WHOLE.subarray(123))).toBe(true);
    expect(proxy.faults).toEqual([]);
    // What had come was not asked for again.
    const starts = rangesAsked().map((range) => Number(/=(\d+)-/.exec(range ?? "")?.[1]));
    expect(starts).toEqual([...starts].sort((one, other) => one - other));
    expect(starts[0]).toBe(123);
    expect(proxy.asked.every(({ headers }) => headers["if-match"] === input.version.etag)).toBe(true);
  });

  it("is waited for longer and longer, and so many times", async () => {
    const input = await open("object");
    proxy.expect(...Array.from({ length: 9 }, () => ({ status: 503 })));
    await expect(readAll(input)).rejects.toMatchObject({ code: "ERR_URLMILL_UNAVAILABLE" });
    expect(proxy.asked).toHaveLength(4);
    expect(proxy.waited).toEqual([250, 500, 1000]);
    await expect(readAll(input)).rejects.toThrow(/object: the server answered 503 \(tried 4 times\)$/);
    expect(proxy.asked).toHaveLength(4);
  });

  it("is left alone as long as the server asks", async () => {
    const input = await open("object");
    proxy.expect({ status: 429, headers: { "retry-after": "7" } }, { status: 503, headers: { "retry-after": "9999" } });
    expect((await readAll(input)).equals(WHOLE)).toBe(true);
    expect(proxy.waited).toEqual([7000, 60_000]);
  });

  it("is refused when it has changed, at once", async () => {
    const input = await open("object");
    put("object", WHOLE, 1_700_000_001);
    proxy.expect({ cutAfter: 1000 });
    await expect(readAll(input)).rejects.toMatchObject({ code: "ERR_URLMILL_CHANGED" });
    expect(proxy.asked).toHaveLength(1);
  });

  it("is refused when it changes between two requests, also by a server that knows no conditions", async () => {
    const changes: [Fault, string][] = [
      [{ headers: { etag: '"other"' } }, "ETag"],
      [{ headers: { "content-range": `bytes 0-${SIZE - 1}/${SIZE + 1}` } }, "size"],
    ];
    for (const [fault, name] of changes) {
      const input = await open("object");
      proxy.expect({ cutAfter: 0 }, fault);
      await expect(readAll(input), name).rejects.toThrow(/object has changed since the plan was made; plan anew$/);
      expect(proxy.asked).toHaveLength(2);
    }
  });

  it("is refused when it is gone at the end", async () => {
    const input = await open("object");
    await readAll(input);
    proxy.expect({ status: 404 });
    await expect(input.confirm()).rejects.toMatchObject({ code: "ERR_URLMILL_CHANGED" });
  });

  it("is known by its date where its ETag is weak", async () => {
    const weak = { headers: { etag: 'W/"1"' } };
    proxy.expect(weak, weak, weak);
    const input = await open("object");
    expect(input.version).toEqual({ size: SIZE, mtime: 1_700_000_000_000 });
    expect((await readAll(input)).equals(WHOLE)).toBe(true);
    expect(proxy.asked[1]?.headers).toMatchObject({ "if-unmodified-since": "Tue, 14 Nov 2023 22:13:20 GMT" });
    put("object", WHOLE, 1_700_000_001);
    await expect(readAll(input)).rejects.toMatchObject({ code: "ERR_URLMILL_CHANGED" });
  });

  it("is refused where the server gives no ranges, codes it, or sends other bytes", async () => {
    const input = await open("object");
    proxy.expect({ hidden: ["range"] });
    await expect(readAll(input)).rejects.toThrow(/object: the server gives no ranges of it; download it/);
    proxy.expect({ hidden: ["range"] });
    await expect(open("object")).rejects.toThrow(/gives no ranges/);
    proxy.expect({ headers: { "content-encoding": "gzip" } });
    await expect(open("object")).rejects.toThrow(/Content-Encoding: gzip/);
    for (const range of ["bytes 1-9/1000003", "bytes 0--1/1000003", "bytes 9-0/1000003", "lines 0-1/2", undefined]) {
      const other = await open("object");
      proxy.expect({ headers: { "content-range": range } });
      await expect(readAll(other), range).rejects.toThrow(/the server sent other bytes than it was asked for/);
    }
  });

  it("may be empty, missing or forbidden", async () => {
    put("empty", "");
    expect(await readAll(await open("empty"))).toHaveLength(0);
    await expect(open("missing")).rejects.toMatchObject({
      code: "ENOENT",
      message: expect.stringMatching(/missing: the server answered 404$/),
    });
    for (const status of [401, 403]) {
      proxy.expect({ status });
      await expect(open("object")).rejects.toMatchObject({ code: "EACCES" });
    }
    expect(proxy.asked).toHaveLength(1);
  });

  it("is not read on when nobody wants more", async () => {
    put("large", Buffer.alloc(8 << 20));
    const input = await open("large");
    proxy.expect();
    for await (const _ of input.chunks(0, 1 << 20)) break;
    // What is asked for ends soon after what is wanted.
    expect(rangesAsked()).toEqual([`bytes=0-${(1 << 20) + (1 << 18) - 1}`]);
  });
});

// Many errors have no body.
it.each([
  [301, "ERR_URLMILL_REFUSED"],
  [403, "EACCES"],
  [404, "ENOENT"],
  [500, "ERR_URLMILL_UNAVAILABLE"],
  [503, "ERR_URLMILL_UNAVAILABLE"],
])("an answer %i without a body is no empty object", async (status, code) => {
  const server = createServer((_, response) => response.writeHead(status, { "content-length": 0 }).end());
  await once(server.listen(0, "127.0.0.1"), "listening");
  try {
    const { port } = server.address() as AddressInfo;
    const remote = new Remote({ retries: 0 });
    await expect(remote.open(`http://127.0.0.1:${port}/object`)).rejects.toMatchObject({ code });
  } finally {
    server.close();
  }
});

it.each([
  ["/again", /redirect count exceeded/],
  ["file:///etc/passwd", /scheme/],
])("a redirect to %s is named in the error", async (location, reason) => {
  const server = createServer((_, response) => response.writeHead(302, { location }).end());
  await once(server.listen(0, "127.0.0.1"), "listening");
  try {
    const { port } = server.address() as AddressInfo;
    const opened = new Remote({ retries: 0 }).open(`http://127.0.0.1:${port}/object`);
    await expect(opened).rejects.toMatchObject({ code: "ERR_URLMILL_REFUSED", message: expect.stringMatching(reason) });
  } finally {
    server.close();
  }
});

it("tries are counted from the last byte that came", async () => {
  let reads = 0;
  const object: RemoteObject = {
    mayMix: false,
    name: "object",
    version: () => Promise.reject(new Error("nobody asks")),
    async read(from, to) {
      if (reads++ % 2 === 0) throw Object.assign(new Error("refused"), { code: "ECONNREFUSED" });
      const body = (async function* () {
        yield WHOLE.subarray(from, from + 100);
        throw Object.assign(new Error("cut"), { code: "ECONNRESET" });
      })();
      return { range: `bytes ${from}-${to - 1}/2000`, body };
    },
  };
  // No connection stalls.
  const wait: Patience["wait"] = (_, signal) => (signal === undefined ? Promise.resolve() : new Promise(() => undefined));
  const input = new RemoteInput(object, { size: 2000 }, { retries: 2, stallMs: 1, wait, random: () => 1 });
  expect((await readAll(input)).equals(WHOLE.subarray(0, 2000))).toBe(true);
  expect(reads).toBe(40);
});

it("a URL with a password is not taken, and the message does not show it", async () => {
  const refusal = await new Remote().open("http://joe:secret@h.example/x").catch(String);
  expect(refusal).toMatch(/h\.example: a URL has a user name or password/);
  expect(refusal).not.toMatch(/secret/);
});

it("a server that is not there is tried, and may come later", async () => {
  const gone = await FaultyProxy.open({ port: 1 });
  const { url } = gone;
  await gone.close();
  const said: string[] = [];
  const after = (retries: number): Remote =>
    new Remote({ ...gone.patience(retries), onOutage: (name, message) => said.push(message.slice(name.length)) });
  await expect(after(3).open(`${url}/x`)).rejects.toMatchObject({ code: "ERR_URLMILL_UNAVAILABLE" });
  expect([gone.waited, said]).toEqual([[250, 500, 1000], []]);
  await expect(after(5).open(`${url}/x`)).rejects.toMatchObject({ message: expect.stringMatching(/tried 6 times/) });
  expect(said).toEqual([expect.stringMatching(/^: .*; trying again, 2 times at most$/)]);
});

it("an abort ends what waits for a server: for its next try, and for its bytes", async () => {
  const silent: RemoteObject = {
    name: "object",
    mayMix: false,
    version: () => new Promise(() => undefined),
    read: () => new Promise(() => undefined),
  };
  const absent: RemoteObject = { ...silent, read: () => Promise.reject(Object.assign(new Error("refused"), { code: "ECONNREFUSED" })) };
  for (const object of [silent, absent]) {
    const abort = new AbortController();
    // Whoever waits does so until it is told to stop.
    const wait: Patience["wait"] = (_, signal) =>
      new Promise((resolve) => {
        signal?.addEventListener("abort", () => resolve(), { once: true });
        if (signal?.aborted === true) resolve();
        setImmediate(() => abort.abort(new Error("enough")));
      });
    const input = new RemoteInput(object, { size: 2000 }, { retries: 9, stallMs: 1, wait, random: () => 1, signal: abort.signal });
    await expect(readAll(input)).rejects.toThrow("enough");
    await expect(readAll(new RemoteInput(object, { size: 2000 }, { ...PATIENCE, signal: abort.signal }))).rejects.toThrow("enough");
  }
});

it.each([
  ["EAI_AGAIN", false],
  ["ECONNRESET", false],
  ["UND_ERR_SOCKET", false],
  ["ERR_STREAM_PREMATURE_CLOSE", false],
  ["ENOTFOUND", true],
  ["ERR_TLS_CERT_ALTNAME_INVALID", true],
  ["DEPTH_ZERO_SELF_SIGNED_CERT", true],
])("a connection that fails with %s: it is vain to try again: %s", (code, isLasting) => {
  const error = new TypeError("fetch failed", { cause: Object.assign(new Error("cause"), { code }) });
  expect(lastingError("object", error) !== undefined).toBe(isLasting);
});
