// The processes of the guard: some that measure apart from each other, some that only keep the other cores busy, and the kind of machine.
import { fork, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { availableParallelism, cpus } from "node:os";

/** What a script sends to the one that started it. Rejects if it ends without. */
export function resultOfChild<T>(script: string, given: readonly string[], flags: readonly string[] = []): Promise<T> {
  return new Promise((resolve, reject) => {
    const child = fork(script, given, { execArgv: [...process.execArgv, ...flags] });
    child.on("message", (result) => resolve(result as T));
    child.on("error", reject);
    child.on("exit", (code) => reject(new Error(`${script} ended with ${code} and no result`)));
  });
}

// It ends with the process that has started it, however that ends.
const BUSY_SCRIPT =
  "const parent = process.ppid; const numbers = new Float64Array(65536); " +
  "while (process.ppid === parent) for (let at = 0; at < numbers.length; at++) numbers[at] += at;";

/** Keeps every core but one busy while `work` runs: one process for each, so that their time is not that of this process. */
export async function withOthersBusy<T>(work: () => Promise<T>): Promise<T> {
  const others = Array.from({ length: Math.max(1, availableParallelism() - 1) }, () =>
    spawn(process.execPath, ["-e", BUSY_SCRIPT], { stdio: "ignore" }),
  );
  try {
    return await work();
  } finally {
    for (const other of others) other.kill();
  }
}

function processorNumbers(): string {
  try {
    const text = readFileSync("/proc/cpuinfo", "utf8");
    const numbers = ["cpu family", "model", "stepping"].map((name) => new RegExp(`^${name}\\s*: (\\d+)$`, "m").exec(text)?.[1] ?? "?");
    return ` ${numbers.join("-")}`;
  } catch {
    return "";
  }
}

/** What ratios to the yardstick depend on: the processor's name, its numbers where the system tells them, and Node's major version. */
export function kindOfMachine(): string {
  const node = process.versions.node.split(".")[0];
  return `${cpus()[0]?.model ?? process.arch}${processorNumbers()}, Node ${node}`;
}
