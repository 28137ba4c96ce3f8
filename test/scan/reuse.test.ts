// A core is used for one scan after the other: what a scan leaves in it, even in the middle of its input, changes nothing in the next.
import { expect, it } from "vitest";
import { type Core, loadCore } from "../../src/core/core.ts";
import type { Batch } from "../../src/matches/batch.ts";
import { Scanner } from "../../src/scan/scanner.ts";
import { BUILDS, feed, type ScanSettings, scanOptions } from "../core/builds.ts";

/** Texts that leave something behind when they are cut off: an open delimited URL, a run, brackets, a name, a candidate, a tag. */
const ABANDONED: readonly [ScanSettings, string][] = [
  [{}, "see <URL:http://a.example/x"],
  [{}, `http://a.example/ ${"x".repeat(40_000)} news:((((`],
  [{ bare: ["www", "email", "domain", "ip"] }, "mail me@a.example or www.b.example, c.exam"],
  [{ guess: true, profile: "rfc1738" }, `${"y".repeat(50)} http://a.example/long-path/that-goes-on-\nin-the-next-li`],
  [{ type: "html" }, '<a href="http://a.example/">text</a><script>http://b.example/ "http:'],
  [{ type: "eml", profile: "none" }, "From: a@b.example\nContent-Type: text/html\n\n<p>http://a.example/ <scr"],
  [{ type: "json" }, '{"a":{"b":["http://a.example/\\'],
  [{ nested: true, urlBytesMax: 256 }, "http://a.example/?u=http%3A%2F%2Fb.example%2F&v=http://c.exa"],
];

const NEXT: readonly [ScanSettings, string][] = [
  [{}, "x> ))http://a.example/y, mailto:a@b.example \nhttp://b.example/ javascript:x://y/ http://[bad]/"],
  [{ bare: ["www", "email", "domain", "ip"] }, "ple www.b.example me@c.example d.org http://ü.example/"],
  [{ type: "html" }, '<a href="http://a.example/?a&amp;b">cid:x@y &lt;http://c.example/&gt;</a>'],
  [{ type: "eml" }, "Subject: http://a.example/\n\nhttp://b.example/\n"],
  [{ type: "json" }, '"http:\\/\\/a.example\\/", {"x":"http://b.example/"}'],
  [{ nested: true }, "http://a.example/?u=http%3A%2F%2Fb.example%2Fx"],
];

function found(core: Core, settings: ScanSettings, text: string): unknown[] {
  const batches: unknown[] = [];
  const sink = { write: (batch: Batch) => void batches.push(withoutScan(structuredClone(batch))) };
  const scanner = new Scanner(core, { ...scanOptions(settings, "matches"), rejected: true }, sink);
  feed(scanner, Buffer.from(text), [], 0);
  return [...batches, scanner.counts];
}

/** Every scan has a number of its own. */
function withoutScan(batch: Batch): Batch {
  return batch.kind === "matches" && batch.locations !== undefined ? { ...batch, locations: { ...batch.locations, scan: 0 } } : batch;
}

function abandon(core: Core, settings: ScanSettings, text: string): void {
  new Scanner(core, { ...scanOptions(settings, "matches"), rejected: true }, { write: () => undefined }).write(Buffer.from(text));
}

it.each(BUILDS)("%s: a scan on a core whose last scan was given up finds what a fresh one finds", async (build) => {
  const used = await loadCore(build);
  for (const [settings, text] of NEXT) {
    const wanted = found(await loadCore(build), settings, text);
    expect(wanted.length).toBeGreaterThan(1);
    for (const [before, given] of ABANDONED) {
      abandon(used, before, given);
      expect(found(used, settings, text), `${JSON.stringify(settings)} after ${given.slice(0, 40)}`).toEqual(wanted);
    }
  }
});
