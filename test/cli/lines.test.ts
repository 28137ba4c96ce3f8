// What normalize, parse and resolve have in common: lines of standard input in pieces, refused ones among them, pipes, signals, --help.
import { spawn } from "node:child_process";
import { closeSync, openSync, readSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import manifest from "../../package.json" with { type: "json" };
import { RULES_VERSION, UNICODE_VERSION } from "../../src/core/names.ts";
import { COMMAND, ended, newFolder, removeFolder, run, start } from "./run.ts";

interface Command {
  name: string;
  args: string[];
  /** A line that is taken, one that is refused with its code, and what comes out for the two. */
  good: string;
  bad: string;
  code: string;
  goodOut: string;
  badOut: string;
}

const NORMALIZE: Command = {
  name: "normalize",
  args: ["normalize"],
  good: "HTTP://A.example",
  bad: "no url",
  code: "no-scheme",
  goodOut: "http://a.example/\n",
  badOut: "\n",
};
const COMMANDS: Command[] = [
  NORMALIZE,
  { ...NORMALIZE, name: "normalize with options", args: ["normalize", "--sort-query"] },
  {
    ...NORMALIZE,
    name: "parse",
    args: ["parse"],
    good: "tel:+1",
    goodOut:
      '{"input":"tel:+1","scheme":"tel","userinfo":null,"user":null,"password":null,"host":null,"port":null,"path":"+1",' +
      '"query":null,"fragment":null,"flags":[]}\n',
    badOut: '{"input":"no url","error":{"code":"no-scheme","offset":0}}\n',
  },
  {
    ...NORMALIZE,
    name: "resolve",
    args: ["resolve", "--base", "mailto:a@b.example"],
    bad: "../x",
    code: "no-hierarchy",
    good: "HTTP://A.example/./b",
    goodOut: "HTTP://A.example/b\n",
  },
];

/** Writes pieces one after the other, each when what came out for those before it has been seen. */
async function runPieces(args: readonly string[], pieces: readonly string[], lengthsOut: readonly number[]): ReturnType<typeof run> {
  const child = start(args);
  const end = ended(child);
  let seen = 0;
  let isSeen = (): void => undefined;
  child.stdout?.on("data", (chunk: Buffer) => {
    seen += chunk.length;
    isSeen();
  });
  for (const [index, piece] of pieces.entries()) {
    child.stdin?.write(piece);
    await new Promise<void>((resolve) => {
      isSeen = () => {
        if (seen >= (lengthsOut[index] ?? 0)) resolve();
      };
      isSeen();
    });
  }
  child.stdin?.end();
  return await end;
}

describe.each(COMMANDS)("$name", ({ args, good, bad, code, goodOut, badOut }) => {
  const complaint = (line: number): string => `urlmill: line ${line}: ${code}: ${JSON.stringify(bad)}\n`;

  it("answers whole lines at once, in order, however they come, and counts them through", async () => {
    const cut = bad.length - 1;
    const pieces = [
      `${good}\n${bad.slice(0, cut)}`,
      `${bad.slice(cut)}\n${good}\n${bad}\n`,
      `${good}\n${good.slice(0, 3)}`,
      good.slice(3, 6),
      `${good.slice(6)}\n${bad}`,
    ];
    const texts = [goodOut, badOut + goodOut + badOut, goodOut, "", goodOut, badOut];
    const lengths = texts.map((_, index) => texts.slice(0, index + 1).join("").length);
    const { stdout, stderr, code: exitCode } = await runPieces(args, pieces, lengths);
    expect({ stdout, stderr, exitCode }).toEqual({ stdout: texts.join(""), stderr: [2, 4, 7].map(complaint).join(""), exitCode: 2 });
  });

  it("many lines in many chunks, each refused one with its number", async () => {
    const isBad = (line: number): boolean => line % 9000 === 0;
    const numbers = Array.from({ length: 20_000 }, (_, index) => index + 1);
    const input = numbers.map((line) => `${isBad(line) ? bad : good}\n`).join("");
    const { stdout, stderr, code: exitCode } = await run(args, { input });
    expect(stdout === numbers.map((line) => (isBad(line) ? badOut : goodOut)).join("")).toBe(true);
    expect({ stderr, exitCode }).toEqual({ stderr: numbers.filter(isBad).map(complaint).join(""), exitCode: 2 });
  });

  it("a file as standard input, from where it has been read to, with lines over the borders of what is read", async () => {
    const isBad = (line: number): boolean => line % 9000 === 0;
    const lines = Array.from({ length: 60_000 }, (_, index) => index + 1);
    const folder = newFolder();
    const file = join(folder, "lines");
    writeFileSync(file, `skipped\n${lines.map((line) => (isBad(line) ? bad : good)).join("\n")}`);
    const stdin = openSync(file, "r");
    try {
      readSync(stdin, Buffer.alloc("skipped\n".length), 0, "skipped\n".length, null);
      const { stdout, stderr, code: exitCode } = await run(args, { stdin });
      expect(stdout === lines.map((line) => (isBad(line) ? badOut : goodOut)).join("")).toBe(true);
      expect({ stderr, exitCode }).toEqual({ stderr: lines.filter(isBad).map(complaint).join(""), exitCode: 2 });
    } finally {
      closeSync(stdin);
      removeFolder(folder);
    }
  });

  it("SIGINT while it reads a file: whole lines are written, the exit code is 130", async () => {
    const folder = newFolder();
    const file = join(folder, "many");
    writeFileSync(file, `${good}\n`.repeat(400_000));
    const stdin = openSync(file, "r");
    try {
      const child = start(args, { stdin });
      // Nobody reads the output yet, so the run cannot have ended when the signal comes.
      await new Promise((resolve) => child.stdout?.once("readable", resolve));
      child.kill("SIGINT");
      const { code: exitCode, stdout } = await ended(child);
      expect(exitCode).toBe(130);
      expect(stdout.endsWith(goodOut)).toBe(true);
      expect(stdout.length).toBeLessThan(400_000 * goodOut.length);
    } finally {
      closeSync(stdin);
      removeFolder(folder);
    }
  });

  it("arguments, in order; a refused one has no line number, standard input is not read", async () => {
    const stderr = `urlmill: ${code}: ${JSON.stringify(bad)}\n`;
    const refused = await run([...args, good, bad, good], { input: `${good}\n` });
    expect(refused).toEqual({ code: 2, signal: null, stdout: goodOut + badOut + goodOut, stderr });
    expect(await run([...args, "-q", bad])).toEqual({ code: 2, signal: null, stdout: badOut, stderr: "" });
    expect(await run([...args, "-q"], { input: `${bad}\n` })).toEqual({ code: 2, signal: null, stdout: badOut, stderr: "" });
    expect(await run([...args, good, good])).toEqual({ code: 0, signal: null, stdout: goodOut + goodOut, stderr: "" });
  });

  it("- is standard input, as no argument is; it stands alone", async () => {
    expect(await run([...args, "-"], { input: good })).toEqual({ code: 0, signal: null, stdout: goodOut, stderr: "" });
    const stderr = "urlmill: - is standard input, and cannot be given beside others\n";
    expect(await run([...args, good, "-"], { input: good })).toEqual({ code: 2, signal: null, stdout: "", stderr });
    expect((await run([...args, "-v", "--quiet", good])).stderr).toBe("urlmill: -v cannot be given with --quiet\n");
  });

  it("nothing in, nothing out", async () => {
    expect(await run(args)).toEqual({ code: 0, signal: null, stdout: "", stderr: "" });
  });

  it("a closed pipe ends it quietly with 0", async () => {
    const child = start(args);
    const end = ended(child);
    child.stdin?.on("error", () => undefined);
    child.stdin?.end(`${good}\n`.repeat(100_000));
    child.stdout?.once("data", () => child.stdout?.destroy());
    expect(await end).toMatchObject({ code: 0, signal: null, stderr: "" });
  });

  it("SIGINT while it waits: whole lines are written, the exit code is 130", async () => {
    const child = start(args);
    const end = ended(child);
    child.stdin?.write(`${good}\n${good}`);
    await new Promise((resolve) => child.stdout?.once("data", resolve));
    child.kill("SIGINT");
    expect(await end).toEqual({ code: 130, signal: null, stdout: goodOut, stderr: "" });
  });

  it("--help and --version, on standard output; what it does not know is an error", async () => {
    const [name = ""] = args;
    for (const option of ["--help", "-h"]) {
      const { stdout, stderr, code: exitCode } = await run([name, option]);
      expect({ stderr, exitCode }).toEqual({ stderr: "", exitCode: 0 });
      expect(stdout.startsWith(`urlmill ${name} `)).toBe(true);
      expect(stdout).toMatch(/^Exit code: 0 every \w+ was [a-z]+, 2 one was refused, 130 interrupted\s+\(143\s+by\s+SIGTERM\)\.$/m);
    }
    expect(await run([name, "-V"])).toMatchObject({
      code: 0,
      stdout: `urlmill ${manifest.version} (rules ${RULES_VERSION}, Unicode ${UNICODE_VERSION})\n`,
    });
    const { stdout, stderr, code: exitCode } = await run([...args, "--nested"]);
    expect({ stdout, exitCode }).toEqual({ stdout: "", exitCode: 2 });
    expect(stderr).toBe(
      `urlmill: urlmill ${name} has no option --nested, which is one of urlmill extract, urlmill count, urlmill report, urlmill explain\n`,
    );
  });

  it("the first twenty refused lines are named, the others counted", async () => {
    const { stdout, stderr, code: exitCode } = await run(args, { input: `${good}\n${`${bad}\n`.repeat(300)}` });
    expect({ exitCode, lines: stdout.split("\n").length }).toEqual({ exitCode: 2, lines: 302 });
    const messages = stderr.split("\n").slice(0, -1);
    expect(messages.slice(0, 20)).toEqual(
      Array.from({ length: 20 }, (_, index) => `urlmill: line ${index + 2}: ${code}: ${JSON.stringify(bad)}`),
    );
    expect(messages.slice(20)).toEqual(["urlmill: 280 more were refused; --verbose names all"]);
    for (const verbose of ["--verbose", "-v"]) {
      const all = await run([...args, verbose], { input: `${bad}\n`.repeat(300) });
      expect(all.stderr).toBe(Array.from({ length: 300 }, (_, index) => complaint(index + 1)).join(""));
    }
  });

  it("standard input that is a folder, or the output too, is refused", async () => {
    const folder = newFolder();
    const script = `"$0" "$1" ${args.join(" ")} < . ; "$0" "$1" ${args.join(" ")} < u >> u; wc -c < u`;
    writeFileSync(`${folder}/u`, `${good}\n`);
    const { stdout, stderr } = await ended(
      spawn("sh", ["-c", script, process.execPath, COMMAND], { cwd: folder, stdio: ["ignore", "pipe", "pipe"] }),
    );
    removeFolder(folder);
    expect(stderr).toBe("urlmill: standard input is a folder\nurlmill: standard input is also the output; give another file\n");
    expect(Number(stdout)).toBe(good.length + 1);
  });
});
