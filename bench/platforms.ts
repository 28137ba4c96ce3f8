// Measures the library on versions of Node, on Bun and on Deno, each build in a process of its own.
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { CoreBuild } from "../src/core/core.ts";
import { programOf } from "../tools/program-of.mjs";
import { withTemporaryFolder } from "./commands.ts";
import type { Corpus } from "./corpora.ts";
import { medianOf } from "./measure.ts";
import type { Table } from "./records.ts";

const LIBRARY = resolve(import.meta.dirname, "../build/node/index.mjs");
const CHILD = join(import.meta.dirname, "platform-child.mjs");
/** The platforms: npm packages, their versions, and the arguments of their programs before the name of a script. */
const PLATFORMS: readonly (readonly [name: string, version: string, args: readonly string[]])[] = [
  ["node", "20", []],
  ["node", "22", []],
  ["node", "24", []],
  ["node", "26", []],
  ["bun", "1.4.5", []],
  ["deno", "2.9.6", ["run", "-A"]],
];
/** Processes of each row. All rows run in turn, so that a busy minute does not hit a single platform. */
const PROCESSES = 3;

interface Seen {
  readonly first: number;
  readonly memory: number;
  readonly texts: readonly { readonly bytes: number; readonly found: number; readonly times: readonly number[] }[];
}

function runOn(program: string, args: readonly string[], build: CoreBuild, rounds: number, files: readonly string[]): Seen {
  const { status, stdout, stderr } = spawnSync(program, [...args, CHILD, LIBRARY, build, `${rounds}`, ...files], { encoding: "utf8" });
  if (status !== 0) throw new Error(`${program}: ${stderr}`);
  return JSON.parse(stdout) as Seen;
}

/** Measures `extract` of texts. Throws if two rows find different numbers. The notes name platforms that cannot be installed. */
export async function comparePlatforms(texts: readonly Corpus[], builds: readonly CoreBuild[], rounds: number): Promise<Table> {
  const notes = [
    `extract() of a text to matches, MB/s; medians of ${rounds} rounds in each of ${PROCESSES} processes; memory after the last`,
  ];
  const rows: { name: string; run: (files: readonly string[]) => Seen; seen: Seen[] }[] = [];
  for (const [name, version, args] of PLATFORMS) {
    const program = programOf(name, version);
    if (program === undefined) notes.push(`${name} ${version} could not be installed: its rows are missing`);
    else {
      const row = `${name} ${spawnSync(program, ["--version"], { encoding: "utf8" })
        .stdout.split("\n")[0]
        ?.replace(/^(?:v|deno )|\s.*/g, "")}`;
      for (const build of builds)
        rows.push({ name: `${row}, ${build}`, run: (files) => runOn(program, args, build, rounds, files), seen: [] });
    }
  }
  await withTemporaryFolder((folder) => {
    const files = texts.map(({ name, bytes }) => {
      const file = join(folder, `${name}.txt`);
      writeFileSync(file, bytes);
      return file;
    });
    for (let turn = 0; turn < PROCESSES; turn++) for (const { run, seen } of rows) seen.push(run(files));
  });
  const found = new Set(rows.flatMap(({ seen }) => seen.map((one) => JSON.stringify(one.texts.map((text) => text.found)))));
  if (found.size > 1) throw new Error(`platforms find different numbers of URLs: ${[...found].join(" ")}`);
  const speedOn = (seen: readonly Seen[], index: number): number => {
    const times = seen.flatMap(({ texts: each }) => each[index]?.times ?? []);
    return (seen[0]?.texts[index]?.bytes ?? 0) / 1000 / medianOf(times);
  };
  return {
    title: "Platforms",
    notes: [...notes, `found ${[...found].join("")}`],
    columns: ["row", ...texts.map(({ name }) => name), "import and first URL, ms", "memory, MB"],
    rows: rows.map(({ name, seen }) => [
      name,
      ...texts.map((_, index) => speedOn(seen, index).toFixed(0)),
      medianOf(seen.map(({ first }) => first)).toFixed(0),
      (medianOf(seen.map(({ memory }) => memory)) / 1e6).toFixed(0),
    ]),
  };
}
