// Stands in for Spark's pipe and Hadoop Streaming where neither can be installed: gives the shards of a plan, as lines with a key, to
// processes, checks their exit codes, and starts a task whose process failed again, as both do.
//   node drive-lines.mjs PLAN FOLDER [PARTITIONS [AT_ONCE [TRIES]]]
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";

const [plan, folder, partitions = "4", atOnce = "2", tries = "4"] = process.argv.slice(2);
/** Stays as it is; Spark and Hadoop, which do not know that, try in vain. */
const BAD_INPUT = 65;

const shards = readFileSync(plan, "utf8")
  .split("\n")
  .filter((line) => line.includes('"inputs":'));
const tasks = Array.from({ length: Number(partitions) }, (_, task) =>
  shards.map((line, index) => `key-${index}\t${line}\n`).filter((_, index) => index % Number(partitions) === task),
);

/** Runs the lines of a task until its process ends well; returns how many answers it has given then. */
async function run(lines, task) {
  for (let run = 1; ; run++) {
    const child = spawn("urlmill", ["run-shard", "--stdin", "--plan", plan, "-o", folder], { stdio: ["pipe", "pipe", "inherit"] });
    // A process that fails may leave lines unread.
    child.stdin.on("error", () => undefined).end(lines.join(""));
    let output = "";
    child.stdout.setEncoding("utf8").on("data", (text) => {
      output += text;
    });
    const [code, signal] = await once(child, "close");
    if (code === 0) return output.split("\n").filter((line) => /^key-\d+\t\{/.test(line)).length;
    console.error(`task ${task}, run ${run}: ${signal ?? `exit code ${code}`}`);
    if (code === BAD_INPUT || run >= Number(tries)) throw new Error(`task ${task} failed`);
  }
}

let answers = 0;
let next = 0;
const slots = Array.from({ length: Number(atOnce) }, async () => {
  while (next < tasks.length) {
    const task = next++;
    const lines = tasks[task];
    if (lines.length === 0) continue;
    const answered = await run(lines, task);
    answers += answered;
  }
});
const failed = (await Promise.allSettled(slots)).filter(({ status }) => status === "rejected");
for (const { reason } of failed) console.error(reason.message);
console.log(`${answers} of ${shards.length} shards done`);
process.exitCode = failed.length === 0 && answers === shards.length ? 0 : 1;
