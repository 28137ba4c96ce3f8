import { defineConfig } from "vitest/config";

// Tests that measure time run after all others, so that nothing else of this run takes the processor from them.
const TIMED = ["test/hostile.test.ts", "test/mail-hostile.test.ts"];

export default defineConfig({
  test: {
    testTimeout: 120_000,
    hookTimeout: 120_000,
    maxWorkers: 2,
    // What is compiled already is loaded as it is: rewritten imports would make the twin ten times slower.
    server: { deps: { external: [/\/build\//] } },
    coverage: { provider: "v8", include: ["src/**/*.ts"], reporter: ["text", "html"] },
    projects: [
      { extends: true, test: { name: "rules", include: ["test/**/*.test.ts"], exclude: TIMED, sequence: { groupOrder: 0 } } },
      { extends: true, test: { name: "time", include: TIMED, maxWorkers: 1, retry: 2, sequence: { groupOrder: 1 } } },
    ],
  },
});
