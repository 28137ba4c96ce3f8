// npm run fuzz: tries generated inputs on all builds and the oracle, for some seconds, and writes what fails to case files.
//   -- --seconds N    seconds of trying, 60 unless told
//   -- --seed S       seed of the trials; a new one unless told
//   -- --target NAME  core, mail, html, containers, warc, large, cli or url, or several with commas; all in turn unless told
//   -- --out FOLDER   where case files go
//   -- --case FILE    tries the case of a file alone
import { randomInt } from "node:crypto";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { readCase, writeCase } from "./case-file.ts";
import { fuzz, tryOne } from "./watch.ts";

/** Names of the targets: TARGETS is loaded by the thread that tries. */
const NAMES = ["core", "mail", "html", "containers", "warc", "large", "cli", "url"];
const OUT = join(import.meta.dirname, "found");
/** Longest turn of a target among others. */
const TURN_SECONDS_MAX = 60;

const { values } = parseArgs({
  options: {
    seconds: { type: "string", default: "60" },
    seed: { type: "string" },
    target: { type: "string", default: NAMES.join(",") },
    out: { type: "string", default: OUT },
    case: { type: "string" },
  },
});

async function main(): Promise<number> {
  if (values.case !== undefined) {
    const finding = readCase(values.case);
    const failure = await tryOne(finding);
    console.log(failure === null ? `${finding.target}: nothing is wrong with this case` : `${finding.target}: ${failure}`);
    return failure === null ? 0 : 1;
  }
  const seconds = Number(values.seconds);
  const seed = values.seed === undefined ? randomInt(2 ** 31) : Number(values.seed);
  const targets = values.target.split(",");
  const unknown = targets.find((name) => !NAMES.includes(name));
  if (unknown !== undefined || !Number.isInteger(seed) || !(seconds > 0)) {
    console.error(`fuzz: --seconds and --seed are numbers, --target is one of ${NAMES.join(", ")}`);
    return 2;
  }
  console.log(`fuzz: seed ${seed}, ${seconds} s of ${targets.join(", ")}`);
  const findings = await fuzz({
    targets,
    seed,
    seconds,
    turnSeconds: Math.min(TURN_SECONDS_MAX, seconds / targets.length),
    log: (line) => console.log(line),
    write: (finding) => writeCase(values.out, finding),
  });
  return findings === 0 ? 0 : 1;
}

process.exitCode = await main();
