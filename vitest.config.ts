import { defineConfig } from "vitest/config";

/** The mode of `npm test`: about two minutes on two cores. */
const SHORT = "short";

/** Tests that take long, below `test/`. `npm test` leaves them out; `npm run test:all` and `npx vitest run FILE` run them. */
const EXHAUSTIVE = [
  // Steps are counted over large texts.
  "fuzz/checked",
  "input/work",
  "mail/linear",
  "count/counter",
  "count/sort-rows",
  "scan/hostile",
  // The types of all of src/.
  "keys",
  // Every cut, all numbers of threads, many archives.
  "api/html",
  "api/one-line",
  "api/stream-threads",
  "cluster/damage",
  "cluster/merge",
  "cluster/same-output",
  "input/archive-compare",
  "input/turns",
  "input/zip-directory",
  "mail/coded-bodies",
  "output/memory",
  "threads/archives",
  "threads/blocks",
  "threads/message-numbers",
  "threads/scan-files",
  "threads/scan-state",
  "scan/properties",
  "scan/unicode",
  "scan/rejections",
  "threads/streams",
  "threads/web-archives",
  // Real archives, beside other readers.
  "mail/compare-postal-mime",
  "mail/compare-python",
  "mail/mutations",
  "mail/packed",
  "output/duckdb",
  "mail/corpus",
  "scan/corpus",
  "summary/summary",
  // Many processes, some of them killed, and servers.
  "api/many-streams",
  "bench/smoke",
  "core/choice",
  "core/scalar",
  "cli/archives",
  "cli/completions",
  "cli/explain",
  "cli/faults",
  "cli/folders",
  "cli/left-out",
  "cli/lines",
  "cli/manners",
  "cli/messages",
  "cli/one-line",
  "cli/options",
  "cli/outputs",
  "cli/resume",
  "cli/report",
  "cli/schemeless",
  "cli/sources",
  "cluster/commands",
  "cluster/engines",
  "cluster/bullmq",
  "cluster/folders",
  "cluster/plan-command",
  "cluster/remote/s3",
  "cluster/unreadable",
  "fuzz/fuzz",
  "threads/end-threads",
  "threads/worker-start",
  // A browser, bundlers, the package.
  "package/packed",
  "package/web",
  "page/access",
  "page/application",
  "page/drop",
  "page/filters",
  "page/hostile",
  "page/listing-command",
  "page/report",
  "page/served",
].map((name) => `test/${name}.test.ts`);

export default defineConfig(({ mode }) => ({
  test: {
    include: ["test/**/*.test.ts"],
    exclude: mode === SHORT ? EXHAUSTIVE : [],
    // A tenth of the random values (test/core/check.ts).
    env: mode === SHORT ? { URLMILL_RUNS: process.env.URLMILL_RUNS ?? "0.1" } : {},
    testTimeout: 300_000,
    hookTimeout: 120_000,
    maxWorkers: 2,
    // Files share a process, and with it what is loaded and compiled: starting one for each takes a tenth of the whole time.
    isolate: false,
    // What is compiled already is loaded as it is: rewritten imports would make the JavaScript build ten times slower.
    server: { deps: { external: [/\/build\//] } },
    coverage: { provider: "v8", include: ["src/**/*.ts"], reporter: ["text", "html"] },
  },
}));
