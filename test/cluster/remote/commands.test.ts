// The commands with inputs on a web server and in a stand-in for S3, and with results there: the output is that of one run over files.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Ended, newFolder, removeFolder, run } from "../../cli/run.ts";
import { archiveText } from "../../page/archive.ts";
import { type Fault, FaultyProxy } from "./faulty-proxy.ts";
import { HAS_NGINX, type Nginx, startNginx } from "./nginx.ts";
import { S3StandIn } from "./s3-stand-in.ts";

const MAIL = archiveText(300);
const TEXT = Array.from({ length: 2000 }, (_, index) => `${index} http://h${index % 17}.example/${"x".repeat(index % 90)}\n`).join("");
/** Files, and the objects of the same bytes. */
const FILES: Record<string, string | Uint8Array> = {
  "web/mail.mbox": MAIL,
  "web/notes.txt": TEXT,
  "web/mail.mbox.gz": gzipSync(MAIL),
  "in/1.eml": MAIL.slice(MAIL.indexOf("\n") + 1, 500),
  "in/2 & ü.txt": "http://two.example/",
  "in/3/empty": "",
  "in/3/notes.txt": TEXT,
  "in/4.mbox": MAIL,
  "here.txt": "http://here.example/\n",
};
const WEB = ["mail.mbox", "notes.txt", "mail.mbox.gz"];

let folder: string;
let nginx: Nginx;
let web: FaultyProxy;
let s3: S3StandIn;
let proxy: FaultyProxy;
let env: NodeJS.ProcessEnv;

const inFolder = (args: readonly string[], input = "", more: NodeJS.ProcessEnv = {}): Promise<Ended> =>
  run(args, { cwd: folder, env: { ...env, ...more }, input });
const shard = (index: number, ...args: string[]): Promise<Ended> =>
  inFolder(["run-shard", "--plan", "plan", "--index", `${index}`, "-o", "s3://bucket/results", ...args]);

function putObjects(): void {
  s3.objects.clear();
  for (const [name, bytes] of Object.entries(FILES)) if (name.startsWith("in/")) s3.objects.set(`bucket/${name}`, Buffer.from(bytes));
}

/** Makes a plan of all inputs in shards of 20,000 bytes; returns how many there are. */
async function makePlan(args: readonly string[]): Promise<number> {
  const inputs = [...WEB.map((name) => `${web.url}/${name}`), "s3://bucket/in/", "here.txt"];
  expect(await inFolder(["plan", ...args, "--shard-bytes", "40000", "-o", "plan", ...inputs])).toMatchObject({ code: 0, stdout: "" });
  return (JSON.parse(readFileSync(join(folder, "plan"), "utf8").trimEnd().split("\n").at(-1) as string) as { shards: number }).shards;
}

const runAll = (count: number): Promise<Ended> => {
  const input = Array.from({ length: count }, (_, index) => `${index}\n`).join("");
  return inFolder(["run-shard", "--plan", "plan", "--stdin", "-o", "s3://bucket/results"], input);
};

describe.skipIf(!HAS_NGINX)("inputs of nginx and the stand-in (skipped: nginx is not installed)", () => {
  beforeAll(async () => {
    folder = newFolder();
    for (const name of ["web", "in/3"]) mkdirSync(join(folder, name), { recursive: true });
    for (const [name, bytes] of Object.entries(FILES)) writeFileSync(join(folder, name), bytes);
    nginx = await startNginx(folder, join(folder, "web"));
    web = await FaultyProxy.open(nginx);
    s3 = await S3StandIn.open();
    proxy = await FaultyProxy.open({ port: s3.port });
    const key = "stand-in";
    env = {
      ...process.env,
      ...{ AWS_ENDPOINT_URL: proxy.url, AWS_REGION: "us-east-1", AWS_ACCESS_KEY_ID: key, AWS_SECRET_ACCESS_KEY: key },
      AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: "true",
    };
  });
  afterAll(async () => {
    await Promise.all([web.close(), proxy.close()]);
    await Promise.all([nginx.stop(), s3.close()]);
    removeFolder(folder);
  });
  beforeEach(() => {
    putObjects();
    web.expect();
    proxy.expect();
  });

  const FAULTS: Fault[] = [
    {},
    { cutAfter: 3000 },
    { status: 503 },
    { pieceBytes: 1000 },
    {},
    { cutAfter: 0 },
    { isLost: true },
    { status: 429 },
  ];
  it.each([
    ["records", ["-f", "ndjson", "--fields", "url,start,end,message,subject,context", "--context", "10", "--rejected", "why"]],
    ["distinct URLs", ["-u"]],
    ["groups", ["count", "--by", "host,month"]],
  ])("give what their files give, and so do results there: %s", async (_, args) => {
    const files = [...WEB.map((name) => `web/${name}`), "in", "here.txt"];
    const whole = await inFolder([...args, "--stats", "-o", "one", ...files]);
    const count = await makePlan([...args, "--stats"]);
    expect(count).toBeGreaterThan(9);
    for (const one of [web, proxy]) one.expect(...FAULTS);
    expect(await runAll(count)).toMatchObject({ code: 0, stderr: "" });
    expect(web.faults.length + proxy.faults.length).toBe(0);
    // A shard has a marker and results, whatever was tried again.
    expect([...s3.objects.keys()].filter((name) => name.startsWith("bucket/results/"))).toHaveLength(2 * count);
    const verified = await inFolder(["verify", "--plan", "plan", "--hash", "s3://bucket/results"]);
    expect(verified).toMatchObject({ code: 0, stdout: "" });
    const merged = await inFolder(["merge", "--plan", "plan", "--retries", "3", "-o", "all", "s3://bucket/results"]);
    const counts = ({ code, stderr }: Ended): unknown => ({ code, stderr: stderr.replace(/"seconds":[^}]*"rules"/g, '"rules"') });
    expect(counts(merged)).toEqual(counts(whole));
    expect(readFileSync(join(folder, "all")).equals(readFileSync(join(folder, "one")))).toBe(true);
  });

  it("are refused when they have changed, and nothing is left of their shards", async () => {
    const count = await makePlan(["-u"]);
    s3.objects.set("bucket/in/4.mbox", Buffer.from(MAIL.replace("From", "from")));
    const ended = await shard(count - 2);
    expect(ended).toMatchObject({
      code: 65,
      stderr: expect.stringMatching(/^urlmill: s3:\/\/bucket\/in\/4\.mbox has changed since the plan was made; plan anew\n$/),
    });
    s3.objects.delete("bucket/in/4.mbox");
    expect(await shard(count - 2)).toMatchObject({ code: 65 });
    expect([...s3.objects.keys()].filter((name) => name.includes("results"))).toEqual([]);
    expect((await inFolder(["verify", "--plan", "plan", "s3://bucket/results"])).code).toBe(1);
  });

  it("that do not answer may be tried again", async () => {
    await makePlan(["-u"]);
    web.expect({ status: 503 }, { status: 503 });
    const ended = await shard(0, "--retries", "1");
    expect(ended).toMatchObject({ code: 75, stderr: expect.stringMatching(/mail\.mbox: the server answered 503 \(tried 2 times\)\n$/) });
    expect([...s3.objects.keys()].filter((name) => name.includes("results"))).toEqual([]);
    web.expect(...Array.from({ length: 5 }, () => ({ status: 503 })));
    const stderr = expect.stringMatching(/^urlmill: http:.*mail\.mbox: the server answered 503; trying again, 5 times at most\n$/);
    expect(await shard(0)).toMatchObject({ code: 0, stderr });
    web.expect(...Array.from({ length: 5 }, () => ({ status: 503 })));
    expect(await shard(1, "-q")).toMatchObject({ code: 0, stderr: "" });
    // Five failures of one object, an answer for each request of it, five failures of another.
    const failing = Array.from({ length: 5 }, () => ({ status: 503 }));
    web.expect(...failing, {}, {}, ...failing);
    expect(await inFolder(["run-shard", "--plan", "plan", "--stdin", "-o", "s3://bucket/results"], "2\n3\n")).toMatchObject({
      code: 0,
      stderr,
    });
    expect(web.faults).toEqual([]);
  });

  it("may be scanned by two at once, in whatever pieces they come: one result is there", async () => {
    await makePlan(["-u"]);
    web.expect({}, { pieceBytes: 997 });
    const both = await Promise.all([shard(1), shard(1)]);
    expect(both).toMatchObject([{ code: 0 }, { code: 0 }]);
    const results = (): string[] => [...s3.objects.keys()].filter((name) => name.includes("results"));
    const found = results();
    expect(found).toEqual([expect.stringMatching(/^bucket\/results\/00001-[0-9a-f]{64}\.results$/), "bucket/results/00001.json"]);
    for (const name of found) s3.objects.delete(name);
    web.expect({ cutAfter: 1001 }, { pieceBytes: 333 });
    expect(await shard(1)).toMatchObject({ code: 0 });
    expect(results()).toEqual(found);
  });

  it("are chosen by globs as files in folders are", async () => {
    const plan = await inFolder(["plan", "--include", "*.txt", "--exclude", "2*", "-o", "plan", "s3://bucket/in/", `${web.url}/mail.mbox`]);
    expect(plan.code).toBe(0);
    const [, line = ""] = readFileSync(join(folder, "plan"), "utf8").split("\n");
    const { inputs } = JSON.parse(line) as { inputs: { uri?: string }[] };
    expect(inputs.flatMap(({ uri = [] }) => uri)).toEqual(["s3://bucket/in/3/notes.txt", `${web.url}/mail.mbox`]);
    expect(inputs).toHaveLength(6);
  });

  it("that are missing end a plan, and so does a missing package", async () => {
    const missing = await inFolder(["plan", "-o", "plan", `${web.url}/nothing`]);
    expect(missing).toMatchObject({ code: 2, stderr: `urlmill: ${web.url}/nothing: the server answered 404\n` });
    const hiding = join(folder, "hiding.cjs");
    const hide = `if (name === "@aws-sdk/client-s3") throw Object.assign(new Error("hidden"), { code: "MODULE_NOT_FOUND" });`;
    writeFileSync(
      hiding,
      `const M = require("node:module"), load = M._load; M._load = function (name) { ${hide} return load.apply(this, arguments); };`,
    );
    const without = await inFolder(["plan", "-o", "plan", "s3://bucket/in/"], "", { NODE_OPTIONS: `--require ${hiding}` });
    expect(without).toMatchObject({ code: 2, stderr: expect.stringMatching(/npm install @aws-sdk\/client-s3\n$/) });
  });
});
