// Whether a descriptor is a terminal.
import { fstatSync, statSync } from "node:fs";

/** Returns whether `fd` is a terminal. Node's own test loads its network streams, 5 ms, so only character devices are given to it. */
export function isTerminal(fd: number): boolean {
  const stats = fstatSync(fd);
  if (!stats.isCharacterDevice() || stats.rdev === statSync("/dev/null", { throwIfNoEntry: false })?.rdev) return false;
  return process.getBuiltinModule("node:tty").isatty(fd);
}
