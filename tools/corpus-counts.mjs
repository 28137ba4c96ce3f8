// Counts what is found in files (gzip or plain) by scheme, kind, flag and reason, as JSON, one object a file:
//   node tools/corpus-counts.mjs FILE...
// A change of the rules is worth a look at these before and after.
import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { gunzipSync } from "node:zlib";
import { getCore } from "../build/core/core.js";
import { REASONS } from "../build/core/names.js";
import { Match } from "../build/scanner/batch.js";
import { Scanner } from "../build/scanner/scanner.js";

/** Counts of one text. */
function countsOf(bytes) {
  const counts = { schemes: {}, kinds: {}, flags: {}, rejected: {} };
  const add = (group, name) => {
    group[name] = (group[name] ?? 0) + 1;
  };
  const sink = {
    write: (batch) => {
      if (batch.kind !== "matches") return;
      for (let index = 0; index < batch.count; index++) {
        const match = new Match(batch, index);
        add(counts.schemes, match.scheme);
        add(counts.kinds, match.kind);
        for (const flag of match.flags) add(counts.flags, flag);
      }
    },
  };
  const options = {
    urlBytesMax: 16384,
    profile: "rfc3986",
    schemes: undefined,
    guess: false,
    output: "matches",
    separator: 0x0a,
    rejected: false,
  };
  const scanner = new Scanner(getCore(), options, sink);
  scanner.write(bytes);
  scanner.end();
  scanner.counts.rejected.forEach((count, reason) => {
    if (count > 0) counts.rejected[REASONS[reason]] = count;
  });
  return counts;
}

const byCount = (group) => Object.fromEntries(Object.entries(group).sort(([, a], [, b]) => b - a));

for (const path of process.argv.slice(2)) {
  const read = readFileSync(path);
  const bytes = path.endsWith(".gz") ? gunzipSync(read) : read;
  const { schemes, kinds, flags, rejected } = countsOf(bytes);
  const file = {
    file: basename(path),
    bytes: bytes.length,
    kinds: byCount(kinds),
    schemes: byCount(schemes),
    flags: byCount(flags),
    rejected,
  };
  console.log(JSON.stringify(file));
}
