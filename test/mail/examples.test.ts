// The archive of examples/ gives the list that stands beside it.
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { BUILDS, scanLines } from "../core/builds.ts";

const read = (name: string): Buffer => readFileSync(new URL(`../../examples/${name}`, import.meta.url));

it.each(BUILDS)("%s: examples/archive.mbox gives examples/archive.urls.txt", (build) => {
  const [lines, count] = scanLines(build, read("archive.mbox"), { type: "mbox" });
  expect(lines).toBe(read("archive.urls.txt").toString());
  expect(count).toBe(lines.split("\n").length - 1);
});
