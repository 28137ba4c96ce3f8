// Writes tables of measurements as Markdown, with the machine and the versions.
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism, cpus } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";

/** Folder of the records. */
const RECORDS = join(import.meta.dirname, "records");

/** A table as it is printed and recorded. */
export interface Table {
  readonly title: string;
  readonly notes: readonly string[];
  readonly columns: readonly string[];
  readonly rows: readonly (readonly (string | number)[])[];
}

function commit(): string {
  try {
    const hash = execFileSync("git", ["rev-parse", "--short", "HEAD"], { cwd: import.meta.dirname, encoding: "utf8" }).trim();
    const changed = execFileSync("git", ["status", "--porcelain", "--", "../src", "../assembly"], {
      cwd: import.meta.dirname,
      encoding: "utf8",
    });
    return changed === "" ? hash : `${hash} and changes in src/ or assembly/`;
  } catch {
    return "unknown";
  }
}

/** Returns the facts on which the figures depend. */
export function machine(): Record<string, string> {
  return {
    date: new Date().toISOString().slice(0, 16),
    processor: `${cpus()[0]?.model ?? "unknown"}, ${availableParallelism()} cores`,
    node: process.version,
    commit: commit(),
  };
}

function markdownOf(table: Table): string {
  const row = (cells: readonly (string | number)[]): string => `| ${cells.join(" | ")} |\n`;
  const rule = `|${table.columns.map((_, index) => (index === 0 ? "---" : "---:")).join("|")}|\n`;
  const notes = table.notes.map((note) => `${note}\n`).join("");
  return `## ${table.title}\n\n${notes}\n${row(table.columns)}${rule}${table.rows.map(row).join("")}\n`;
}

/** Prints a table in aligned columns. */
export function printTable(table: Table): void {
  const cells = [table.columns, ...table.rows].map((line) => line.map(String));
  const widths = table.columns.map((_, index) => Math.max(...cells.map((line) => (line[index] ?? "").length)));
  const pad = (text: string, index: number): string =>
    index === 0 ? text.padEnd(widths[index] as number) : text.padStart(widths[index] as number);
  const lines = cells.map((line) => `  ${line.map(pad).join("  ")}`);
  process.stdout.write(`${table.title}\n${table.notes.map((note) => `  ${note}\n`).join("")}${lines.join("\n")}\n\n`);
}

/** Share of the processors that other programs may take while this one rests. */
const BUSY_SHARE = 0.1;

/** Throws if other programs take more of the processors during a second of rest: figures of a busy machine must not be recorded. */
export async function refuseIfBusy(): Promise<void> {
  const timesOf = (): { idle: number; all: number } => {
    const each = cpus().map(({ times }) => times);
    const all = each.flatMap((times) => Object.values(times)).reduce((sum, time) => sum + time, 0);
    return { idle: each.reduce((sum, { idle }) => sum + idle, 0), all };
  };
  const before = timesOf();
  await setTimeout(1000);
  const after = timesOf();
  const busy = 1 - (after.idle - before.idle) / (after.all - before.all);
  if (busy > BUSY_SHARE) throw new Error(`other programs take ${Math.round(busy * 100)} % of the processors: nothing is recorded`);
}

/** Writes records/DATE-name.md, and removes the older record of that name. Throws if the machine is busy. */
export async function writeRecord(name: string, tables: readonly Table[]): Promise<void> {
  await refuseIfBusy();
  const seen = machine();
  for (const file of readdirSync(RECORDS)) if (file.slice(11) === `${name}.md`) rmSync(join(RECORDS, file));
  const path = join(RECORDS, `${seen.date?.slice(0, 10)}-${name}.md`);
  const head = Object.entries(seen).map(([key, value]) => `- ${key}: ${value}\n`);
  writeFileSync(path, `# ${name}\n\n${head.join("")}\n${tables.map(markdownOf).join("\n")}`);
  process.stdout.write(`recorded in ${path}\n`);
}

/** Returns the value in a JSON file of records/, or `absent` if there is no such file. */
export function readJson<T>(name: string, absent: T): T {
  try {
    return JSON.parse(readFileSync(join(RECORDS, name), "utf8")) as T;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return absent;
    throw error;
  }
}

/** Writes a JSON file of records/. */
export function writeJson(name: string, value: unknown): void {
  writeFileSync(join(RECORDS, name), `${JSON.stringify(value, null, 2)}\n`);
}

/** Prints complaints. If there are any, the process exits with 1. */
export function report(wrong: readonly string[]): void {
  if (wrong.length === 0) return;
  process.stderr.write(`${wrong.join("\n")}\n`);
  process.exitCode = 1;
}
