// Each program of docs/cookbook.md runs as it is, and its types are right.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { setTimeout } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import ts from "typescript";
import { afterAll, beforeAll, expect, it } from "vitest";
import { newFolder, removeFolder } from "../cli/run.ts";

const ROOT = resolve(import.meta.dirname, "../..");
const MAIL = `From joe@a.example Wed Apr  2 10:00:00 2003
From: joe@a.example
Date: Wed, 2 Apr 2003 10:00:00 +0000
Message-ID: <1@a.example>
List-Archive: <http://lists.example/>

see http://joe:pw@b.example/x and http://b.example/y
`;
const blocks = readFileSync(join(ROOT, "docs/cookbook.md"), "utf8")
  .split(/^## /m)
  .flatMap((section) => [...section.matchAll(/```ts\n(.*?)```/gs)].map(([, code = ""]) => [section.split("\n")[0] ?? "", code] as const));
const ran = new Set<string>();
let folder: string;

beforeAll(() => {
  folder = newFolder();
  mkdirSync(join(folder, "node_modules"));
  symlinkSync(ROOT, join(folder, "node_modules/urlmill"));
  writeFileSync(join(folder, "list.mbox.gz"), gzipSync(MAIL));
  mkdirSync(join(folder, "mail"));
  writeFileSync(join(folder, "mail/a.txt"), "http://c.example/");
});
afterAll(() => removeFolder(folder));

function start(title: string): ChildProcess {
  const code = blocks.find(([name]) => name === title)?.[1];
  if (code === undefined) throw new Error(`no program: ${title}`);
  ran.add(title);
  const { outputText } = ts.transpileModule(code, { compilerOptions: { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext } });
  return spawn(process.execPath, ["--input-type=module", "-e", outputText], {
    cwd: folder,
    env: { ...process.env, PORT: "0" },
    stdio: ["ignore", "pipe", "inherit"],
  });
}

async function outputOf(title: string): Promise<string> {
  const program = start(title);
  let text = "";
  program.stdout?.setEncoding("utf8").on("data", (chunk: string) => {
    text += chunk;
  });
  expect((await once(program, "close"))[0]).toBe(0);
  return text;
}

it("an HTTP server answers records, and a status for what it does not read", async () => {
  const program = start("An HTTP server");
  try {
    const [line] = await once(program.stdout as NonNullable<typeof program.stdout>, "data");
    const address = String(line).trim();
    const post = (body: Uint8Array): Promise<Response> => fetch(address, { method: "POST", body: new Uint8Array(body) });
    for (const body of [Buffer.from(MAIL), gzipSync(MAIL)]) {
      const answer = await post(body);
      expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "application/x-ndjson"]);
      const records = (await answer.text()).trimEnd().split("\n");
      expect(records.map((record) => JSON.parse(record).url)).toEqual([
        "http://lists.example/",
        "http://joe:pw@b.example/x",
        "http://b.example/y",
      ]);
    }
    const refused = await post(Buffer.concat([gzipSync(MAIL).subarray(0, 20), Buffer.alloc(50, 0xff)]));
    expect([refused.status, await refused.json()]).toMatchObject([
      422,
      { code: expect.stringMatching(/^ERR_URLMILL_(CORRUPT|TRUNCATED)$/) },
    ]);
    const cut = await post(gzipSync(MAIL).subarray(0, -12));
    expect([cut.status, await cut.json()]).toMatchObject([422, { code: "ERR_URLMILL_TRUNCATED" }]);
    const empty = await post(Buffer.alloc(0));
    expect([empty.status, empty.headers.get("content-type"), await empty.text()]).toEqual([200, "application/x-ndjson", ""]);
    const page = { body: '<a href="http://a.example/?x&amp;y">', headers: { "content-type": "text/html; charset=utf-8" } };
    expect(JSON.parse(await (await fetch(address, { method: "POST", ...page })).text()).url).toBe("http://a.example/?x&y");
    const form = new FormData();
    form.append("file", new Blob([MAIL]), "list.mbox");
    const unread = await fetch(address, { method: "POST", body: form });
    expect([unread.status, await unread.json()]).toMatchObject([415, { message: expect.stringContaining("form") }]);
    const long = await post(Buffer.alloc(110 * 2 ** 20, "x "));
    expect([long.status, await long.json()]).toMatchObject([413, { message: "the body has more than 104857600 bytes" }]);
    // A client that goes does not end the server.
    const gone = new AbortController();
    const body = new ReadableStream({
      async pull(controller) {
        await setTimeout(1);
        controller.enqueue(Buffer.from(MAIL.repeat(100)));
      },
    });
    const answer = await fetch(address, { method: "POST", body, duplex: "half", signal: gone.signal } as RequestInit);
    expect(answer.status).toBe(200);
    gone.abort();
    expect((await post(Buffer.from(MAIL))).status).toBe(200);
  } finally {
    program.kill();
  }
});

it.each([
  ["Hosts of a compressed archive, counted", "2 b.example\n1 lists.example\n"],
  ["A transform in the midst", "1@a.example\thttp://joe:pw@b.example/x\n1@a.example\thttp://b.example/y\n"],
  [
    "Files on several threads",
    `${["http://lists.example/", "http://b.example/x", "http://b.example/y"]
      .map((url) => `list.mbox.gz 2003-04-02T10:00:00Z ${url}\n`)
      .join("")}mail/a.txt - http://c.example/\n`,
  ],
  [
    "Links in a text, as HTML",
    '\u{1f600} &lt;see&gt; <a href="http://www.a.example/">www.a.example</a>, ' +
      '&quot;<a href="http://b.example/?x&amp;y">http://b.example/?x&amp;y</a>' +
      '&quot; or <a href="mailto:joe@c.example">joe@c.example</a>\n',
  ],
])("%s", async (title, wanted) => {
  expect(await outputOf(title)).toBe(wanted);
});

it("has the right types, also under strict options", () => {
  const names = blocks.map(([, code], index) => {
    const name = join(folder, `${index}.mts`);
    writeFileSync(name, code);
    return name;
  });
  symlinkSync(join(ROOT, "node_modules/@types"), join(folder, "node_modules/@types"));
  const strict = { strict: true, noUncheckedIndexedAccess: true, exactOptionalPropertyTypes: true, erasableSyntaxOnly: true };
  const [target, module] = [ts.ScriptTarget.ES2022, ts.ModuleKind.NodeNext];
  const program = ts.createProgram(names, {
    ...strict,
    target,
    module,
    lib: ["lib.es2023.d.ts"],
    types: ["node"],
    noEmit: true,
    skipLibCheck: true,
  });
  expect(ts.getPreEmitDiagnostics(program).map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, " "))).toEqual([]);
});

it("has no other program", () => {
  expect(blocks.map(([title]) => title).filter((title) => !ran.has(title))).toEqual([]);
});
