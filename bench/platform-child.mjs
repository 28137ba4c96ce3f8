// The script that bench/platforms.ts runs on each platform: `platform-child.mjs LIBRARY BUILD ROUNDS FILE...` extracts from each file, and
// prints as JSON the ms of the first call and of each round, the number of matches, and the bytes of memory.
import { readFileSync } from "node:fs";

const [library, core, rounds, ...files] = process.argv.slice(2);
const start = performance.now();
const { createExtractor } = await import(library);
const find = createExtractor({ core, type: "text" });
find("see http://www.example.org/a%7eb for more");
const first = performance.now() - start;
const texts = files.map((file) => {
  const bytes = new Uint8Array(readFileSync(file));
  let found = find(bytes).length;
  const times = Array.from({ length: Number(rounds) }, () => {
    const before = performance.now();
    found = find(bytes).length;
    return performance.now() - before;
  });
  return { bytes: bytes.length, found, times };
});
console.log(JSON.stringify({ first, texts, memory: process.memoryUsage().rss }));
