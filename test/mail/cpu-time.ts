// Time that does not depend on what else the machine does.

/** Processor time of `run` in milliseconds. */
export function cpuTime(run: () => void): number {
  const before = process.cpuUsage();
  run();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
