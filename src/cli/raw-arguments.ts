// The bytes of the command line: Node decodes arguments as UTF-8, and names of files need not be that.
import { readFileSync } from "node:fs";

/** Returns the last `count` arguments of this process as bytes; undefined where the system does not tell them. */
export function rawArguments(count: number): Buffer[] | undefined {
  let bytes: Buffer;
  try {
    bytes = readFileSync("/proc/self/cmdline");
  } catch {
    return undefined;
  }
  const all: Buffer[] = [];
  for (let at = 0; at < bytes.length; ) {
    const end = bytes.indexOf(0, at);
    all.push(bytes.subarray(at, end));
    at = end + 1;
  }
  return all.slice(-count);
}
