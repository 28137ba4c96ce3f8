// Whether a descriptor is a terminal.
import { fstatSync, statSync } from "node:fs";

/** Returns whether `fd` is a terminal. Only character devices get Node's own test, because that test loads the network streams. */
export function isTerminal(fd: number): boolean {
  const stats = fstatSync(fd);
  if (!stats.isCharacterDevice() || stats.rdev === statSync("/dev/null", { throwIfNoEntry: false })?.rdev) return false;
  return process.getBuiltinModule("node:tty").isatty(fd);
}
