// The bytes of the command line: Node decodes arguments as UTF-8, but the name of a file may be other bytes.
import { readFileSync } from "node:fs";

/** Returns the last `count` arguments of this process as bytes; undefined if the system has no /proc. */
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
