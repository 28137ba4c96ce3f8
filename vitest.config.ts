import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    testTimeout: 300_000,
    hookTimeout: 120_000,
    maxWorkers: 2,
    // Files share a process, and with it what is loaded and compiled: starting one for each takes a tenth of the whole time.
    isolate: false,
    // What is compiled already is loaded as it is: rewritten imports would make the JavaScript build ten times slower.
    server: { deps: { external: [/\/build\//] } },
    coverage: { provider: "v8", include: ["src/**/*.ts"], reporter: ["text", "html"] },
  },
});
