// urlmill page: whom the server answers, and what.
import { type ChildProcess, execFileSync } from "node:child_process";
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { type AddressInfo, createServer } from "node:net";
import { networkInterfaces } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isOwnHost } from "../../src/cli/page.ts";
import { type Ended, ended, newFolder, removeFolder, run, start } from "./run.ts";

interface Answer {
  readonly status: number | undefined;
  readonly headers: Record<string, string | string[] | undefined>;
  readonly text: string;
}

let folder: string;
let server: ChildProcess;
let end: Promise<Ended>;
let address: URL;

/** Asks the server for exactly this path. */
function ask(path: string, headers: Record<string, string> = {}, method = "GET", host = "127.0.0.1"): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const asked = request({ host, port: address.port, path, headers, method, agent: false }, (reply) => {
      const chunks: Buffer[] = [];
      reply.on("data", (chunk: Buffer) => chunks.push(chunk));
      reply.on("end", () => resolve({ status: reply.statusCode, headers: reply.headers, text: Buffer.concat(chunks).toString() }));
    });
    asked.on("error", reject);
    asked.end();
  });
}

beforeAll(async () => {
  folder = newFolder();
  mkdirSync(join(folder, "mail"));
  writeFileSync(join(folder, "mail/<!--<script>.txt"), "http://a.example/\n");
  writeFileSync(join(folder, "notes.txt"), "http://b.example/\n");
  server = start(["page", "notes.txt", "mail"], { cwd: folder });
  end = ended(server);
  address = new URL(await new Promise<string>((resolve) => server.stdout?.once("data", (line: Buffer) => resolve(line.toString().trim()))));
});
afterAll(() => removeFolder(folder));

describe("the address", () => {
  it("has a token, and is of this machine alone", async () => {
    expect(address.href).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/[\da-f]{32}\/$/);
    const others = Object.values(networkInterfaces()).flatMap((list) => list?.filter(({ internal }) => !internal) ?? []);
    for (const { address: host } of [...others, { address: "::1" }]) {
      await expect(ask(address.pathname, {}, "GET", host)).rejects.toMatchObject({ code: expect.stringMatching(/^E/) });
    }
  });

  it("gives the page, with the archives that it may fetch", async () => {
    const { status, headers, text } = await ask(address.pathname);
    expect([status, headers["content-type"], headers["cache-control"]]).toEqual([200, "text/html; charset=utf-8", "no-store"]);
    expect(text).toContain("connect-src 'self'");
    const list = /id="archives">(.*?)<\/script>/.exec(text)?.[1] ?? "";
    expect(JSON.parse(list)).toEqual([
      { name: "notes.txt", size: 18 },
      { name: "mail/<!--<script>.txt", size: 18 },
    ]);
  });

  it("gives the bytes of the archives, also ranges of them", async () => {
    expect(await ask(`${address.pathname}archive/1`)).toMatchObject({ status: 200, text: "http://a.example/\n" });
    const range = { range: "bytes=7-100" };
    expect(await ask(`${address.pathname}archive/0`, range)).toMatchObject({
      status: 206,
      text: "b.example/\n",
      headers: { "content-range": "bytes 7-17/18" },
    });
  });

  it("gives the bytes of several archives at once", async () => {
    const text = "http://b.example/\nhttp://a.example/\n";
    expect(await ask(`${address.pathname}archive/0-1`)).toMatchObject({ status: 200, text, headers: { "content-length": "36" } });
    expect(await ask(`${address.pathname}archive/0-1`, {}, "HEAD")).toMatchObject({ status: 200, text: "" });
  });
});

describe("a request is refused", () => {
  it.each(["", "/", "/0123456789abcdef0123456789abcdef/", "/archive/0", "//"])("without the token: %j", async (path) => {
    expect(await ask(path || "/")).toMatchObject({ status: 403, text: "403\n" });
  });

  it("if its token is longer or shorter", async () => {
    const { pathname } = address;
    expect(await ask(`${pathname.slice(0, -2)}/`)).toMatchObject({ status: 403 });
    expect(await ask(`${pathname.slice(0, -1)}0/`)).toMatchObject({ status: 403 });
  });

  it.each(["evil.example", "localhost", "127.0.0.1", "127.0.0.1:1", "evil.example:80"])("of the host %s", async (host) => {
    const sent = host === "localhost" ? `localhost:${address.port}` : host;
    expect(await ask(address.pathname, { host: sent })).toMatchObject({ status: 403 });
  });

  it.each([
    "archive/2",
    "archive/2-3",
    "archive/0-01",
    "archive/0-",
    "archive/-1",
    "archive/00",
    "archive/",
    "archive/0/",
    "archive/0/../1",
    "archive/../../../../etc/passwd",
    "../notes.txt",
    "..%2fnotes.txt",
    "notes.txt",
    "archive/%30",
    "?",
  ])("for what is not an archive: %s", async (name) => {
    expect(await ask(`${address.pathname}${name}`)).toMatchObject({ status: 404, text: "404\n" });
  });

  it("if it is no GET, or asks for bytes after the end", async () => {
    expect(await ask(address.pathname, {}, "POST")).toMatchObject({ status: 405 });
    expect(await ask(`${address.pathname}archive/0`, { range: "bytes=18-20" })).toMatchObject({ status: 416 });
  });
});

it("the host of the page has its port, unless that is the one of HTTP", () => {
  expect([isOwnHost("127.0.0.1:8080", 8080), isOwnHost("127.0.0.1:80", 80), isOwnHost("127.0.0.1", 80)]).toEqual([true, true, true]);
  for (const [host, port] of [
    ["127.0.0.1", 8080],
    ["127.0.0.1:8080", 80],
    ["localhost", 80],
    [undefined, 80],
  ] as const)
    expect(isOwnHost(host, port)).toBe(false);
});

it("an archive that is no file any more is answered 404, and the page goes on", async () => {
  const path = join(folder, "notes.txt");
  const changes = [() => undefined, () => symlinkSync("notes.txt", path), () => mkdirSync(path), () => execFileSync("mkfifo", [path])];
  for (const change of changes) {
    rmSync(path, { recursive: true });
    change();
    for (const method of ["GET", "HEAD"])
      for (const name of ["archive/0", "archive/0-1"])
        expect(await ask(`${address.pathname}${name}`, { range: "bytes=0-3" }, method)).toMatchObject({ status: 404 });
    if (change === changes[0]) writeFileSync(path, "");
  }
  expect(await ask(`${address.pathname}archive/1`)).toMatchObject({ status: 200 });
  expect(await ask(address.pathname)).toMatchObject({ status: 200 });
});

describe("the command", () => {
  it("ends with 130 on Ctrl-C", async () => {
    server.kill("SIGINT");
    expect(await end).toMatchObject({ code: 130, stderr: "" });
  });

  it("says what is wrong before it serves", async () => {
    const missing = await run(["page", "none.mbox"], { cwd: folder });
    expect(missing).toMatchObject({ code: 2, stdout: "", stderr: "urlmill: none.mbox: no such file or folder\n" });
    expect(await run(["page", "--port", "70000"])).toMatchObject({ code: 2, stdout: "" });
    const busy = createServer();
    await new Promise<void>((done) => busy.listen(0, "127.0.0.1", done));
    const { port } = busy.address() as AddressInfo;
    const stderr = `urlmill: the page cannot be served at port ${port} (EADDRINUSE); give another --port, or none\n`;
    expect(await run(["page", "--port", String(port)])).toMatchObject({ code: 2, stdout: "", stderr });
    busy.close();
    expect(await run(["page", "-"], { input: "text" })).toMatchObject({ code: 2, stdout: "" });
  });
});
