// Whether somebody sits at a descriptor.
import { fstatSync, statSync } from "node:fs";

/** True for a terminal. Node's own test loads its network streams, 5 ms: it is asked only about what may be one. */
export function isTerminal(fd: number): boolean {
  const stats = fstatSync(fd);
  if (!stats.isCharacterDevice() || stats.rdev === statSync("/dev/null", { throwIfNoEntry: false })?.rdev) return false;
  return process.getBuiltinModule("node:tty").isatty(fd);
}
