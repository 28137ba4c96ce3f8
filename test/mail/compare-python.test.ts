// Compares what is found in archives with what Python's email package shows: tools/compare-mail.py, where there is a python3. The archives
// are in the folder that URLMILL_CORPUS names.
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { gunzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { scanArchive } from "./builds.ts";

const SCRIPT = resolve(import.meta.dirname, "../../tools/compare-mail.py");
const corpus = process.env.URLMILL_CORPUS ?? resolve(import.meta.dirname, "../../../shared/corpus");
const isRead = (name: string): boolean => name.endsWith(".mbox.gz");
/** Of a larger archive the start is read, unless URLMILL_CORPUS_WHOLE is 1. */
const BYTES_MAX = process.env.URLMILL_CORPUS_WHOLE === "1" ? Number.POSITIVE_INFINITY : 5 << 20;
const archives = existsSync(corpus) ? readdirSync(corpus).filter(isRead) : [];
const hasPython = spawnSync("python3", ["--version"]).status === 0;

interface Row {
  start: number;
  end: number;
  url: string | null;
  raw: string;
  kind: string;
  where?: string;
  part?: string;
}

let folder = "";

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "urlmill-compare-"));
});

afterAll(() => rmSync(folder, { recursive: true }));

/** The records of an mbox, with the fields of ndjson that the script reads. */
function rowsOf(bytes: Uint8Array): Row[] {
  return scanArchive("simd", bytes, { type: "mbox" }).matches.map(({ start, end, url, raw, kind, where, part }) => {
    return { start, end, url, raw, kind, ...(where === null ? {} : { where }), ...(part === null ? {} : { part }) };
  });
}

/** What the script says of an mbox, its records and the number of its messages. */
function compare(bytes: Uint8Array, rows: readonly Row[], messages: number): { status: number | null; output: string } {
  const [mbox, records] = [join(folder, "x.mbox"), join(folder, "x.ndjson")];
  writeFileSync(mbox, bytes);
  writeFileSync(records, rows.map((row) => `${JSON.stringify(row)}\n`).join(""));
  const { status, stdout, stderr } = spawnSync("python3", [SCRIPT, mbox, records, "--messages", `${messages}`], { encoding: "utf8" });
  return { status, output: stdout + stderr };
}

const SMALL = Buffer.from(
  [
    "From a@b.example Fri Jan  5 10:11:12 1996\nSubject: http://a.example/s\nMIME-Version: 1.0\n",
    "Content-Type: multipart/mixed; boundary=b\n\n--b\nContent-Transfer-Encoding: quoted-printable\n\n",
    "see http://a.example/?x=3D1=\n2, and <URL:http://a.example/\ny>\n>From http://a.example/f\n",
    "--b\nContent-Type: text/html\nContent-Transfer-Encoding: base64\n\n",
    Buffer.from("<a href='http://a.example/?a&amp;b'>z</a>").toString("base64"),
    "\n--b--\nhttp://a.example/e\n\nFrom c@d.example Fri Jan  5 10:11:12 1996\nSubject: y\n\nhttp://a.example/2\n",
  ].join(""),
);

describe.skipIf(!hasPython)(hasPython ? "compared with Python" : "compared with Python: no python3 here", () => {
  it("nothing is missed in a small archive, and what is beyond is named", () => {
    const { status, output } = compare(SMALL, rowsOf(SMALL), 2);
    expect(output).toMatch(/^messages: 2\nrecall: 100\.0000% \(5 of 5\)\n/);
    expect(output).toMatch(/beyond: 3\n(?= .*epilogue)?(?:.*\n)*? +1 header\n/);
    expect(status, output).toBe(0);
  });

  it("a missing record, a wrong span and another count are found", () => {
    const rows = rowsOf(SMALL);
    const html = rows.findIndex(({ where }) => where === "html");
    const missing = compare(SMALL, rows.toSpliced(html, 1), 2);
    expect(missing.output).toMatch(/missed: 1\n +1 not found \(text\/html, base64\)/);
    const moved = rows.map((row, index) => (index === 1 ? { ...row, start: row.start + 1 } : row));
    const wrong = compare(SMALL, moved, 2);
    expect(wrong.output).toContain("spans that do not decode: 1 of 7");
    expect([missing, wrong, compare(SMALL, rows, 3)].map(({ status }) => status)).toEqual([1, 1, 1]);
  });

  it.skipIf(archives.length > 0)("needs archives: URLMILL_CORPUS names their folder", () => {});

  it.each(archives)("%s: at least 99.5 % of what Python shows, every span decodes, as many messages", (name) => {
    const bytes = gunzipSync(readFileSync(join(corpus, name))).subarray(0, BYTES_MAX);
    const { status, output } = compare(bytes, rowsOf(bytes), scanArchive("simd", bytes, { type: "mbox" }).counts.messages);
    expect(status, output).toBe(0);
  });
});
