// Every bench on little text (bench/smoke.ts), as a process of its own: it ends with 1 where a bench fails or counts other than recorded.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, it } from "vitest";

it("every bench runs and finds what is recorded", { timeout: 300_000 }, () => {
  const script = join(import.meta.dirname, "../../bench/smoke.ts");
  const { status, stderr } = spawnSync(process.execPath, ["--import", "tsx", script], { encoding: "utf8" });
  expect(status, stderr).toBe(0);
});
