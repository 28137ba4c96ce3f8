// The core that checks each load and store, and has asserts (tools/compile-checked.mjs): a scan by it gives what a scan by the usual core
// gives, nothing leaves its region, and every assert holds.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type Core, releaseCore, takeCore } from "../../src/core/core.ts";
import { checkOptions } from "../../src/options/options.ts";
import { formatted } from "../../src/output/formatted.ts";
import { scanOptionsOf } from "../../src/run/open-scanner.ts";
import { Scanner } from "../../src/scan/scanner.ts";
import { BUILD, type CoreFunctions, coreAround } from "../counted/core.ts";
import { type Change, type CountingScript, loadCountingScript } from "../counted/script.ts";
import type { HostileText, Library } from "../hostile/texts.ts";

interface Layout {
  readonly regions: readonly { readonly name: string; readonly from: number; readonly to: number }[];
  readonly memoryBytes: number;
  readonly pages: number;
  readonly constants: Readonly<Record<string, number>>;
}

/** Whether the core with checks has been built: `node tools/build.mjs checked`. */
export const HAS_CHECKED: boolean = existsSync(join(BUILD, "wasm/debug-checked.wasm"));

/** What is scanned, and how. */
export type Scanned = Pick<HostileText, "type" | "options">;

/** An access that leaves its region. */
export class OutsideError extends Error {
  override name = "OutsideError";
}

/** An assert of assembly/ that does not hold. */
export class AssertError extends Error {
  override name = "AssertError";
}

/** The innermost function of the core in a stack. */
const functionOf = ({ stack }: Error): string => /at (\S*assembly\S*)/.exec(stack ?? "")?.[1] ?? "?";

function outsideOf({ regions }: Layout): (address: number, bytes: number, bit: number) => never {
  return (address, bytes, bit) => {
    const near = regions.findLast(({ from }) => from <= address);
    const where = near === undefined ? "low memory" : `${near.name}, ${address - near.to} after its end`;
    throw new OutsideError(
      `outside ${bit === 1 ? "load" : "store"}: ${bytes} bytes at ${address} (${where}) in ${functionOf(new Error())}`,
    );
  };
}

/** Text of a built module of the layout with its addresses moved. */
function changeOf(file: string, { constants }: Layout): Change {
  const from = readFileSync(join(BUILD, "javascript", file), "utf8");
  const to = from.replace(/(export const (\w+) = )[^;\n]+(?=;)/g, (whole, declared: string, name: string) =>
    name in constants ? `${declared}${constants[name]}` : whole,
  );
  return { file, from, to };
}

interface Checked {
  readonly script: CountingScript;
  readonly core: Core;
  readonly writer: Core;
}

/** Loads the core. `forbidden`: a region that it may not touch, so that it is seen to be checked. */
async function loadChecked(forbidden?: string): Promise<Checked> {
  const layout: Layout = JSON.parse(readFileSync(join(BUILD, "wasm/debug-layout.json"), "utf8"));
  const allowed = readFileSync(join(BUILD, "wasm/debug-allowed.bin"));
  const module = new WebAssembly.Module(readFileSync(join(BUILD, "wasm/debug-checked.wasm")));
  const script = await loadCountingScript(["layout/memory.js", "layout/decoded.js"].map((file) => changeOf(file, layout)));
  const makeCore = (): Core => {
    const memory = new WebAssembly.Memory({ initial: layout.pages, maximum: layout.pages });
    const buffer = memory.buffer as ArrayBuffer;
    const map = new Uint8Array(buffer).subarray(layout.memoryBytes);
    map.set(allowed);
    const region = layout.regions.find(({ name }) => name === forbidden);
    if (region !== undefined) map.fill(0, region.from >> 4, region.to >> 4);
    const callbacks = script.makeCallbacks(new Uint8Array(buffer));
    const imports = { ...script.importsOf(memory, callbacks), checked: { outside: outsideOf(layout) } };
    const functions = new WebAssembly.Instance(module, imports).exports as unknown as CoreFunctions;
    return coreAround("simd", buffer, functions, callbacks, makeCore, script.fillTables);
  };
  return { script, core: makeCore(), writer: makeCore() };
}

/** Returns a core with checks, for calls that no scan makes. */
export async function makeCheckedCore(): Promise<Core> {
  return (await loadChecked()).core;
}

const loaded = new Map<string | undefined, Promise<Checked>>();

/** The records of a text and what was rejected, as bytes. */
function recordsOf(library: Library, core: Core, bytes: Uint8Array, { type, options }: Scanned, cuts: readonly number[]): string {
  const { settings } = library.checkOptions("ExtractStream", { ...options, format: "ndjson" });
  const parts: string[] = [];
  const sink = library.formatted(settings, {
    write: (result) => void (result.kind === "bytes" && parts.push(Buffer.from(result.bytes).toString("latin1"))),
    wait: () => undefined,
    end: () => undefined,
  });
  const scanner = new library.Scanner(core, library.scanOptionsOf(settings, type), sink);
  let at = 0;
  for (const cut of [...cuts, bytes.length]) {
    scanner.write(bytes.subarray(at, cut));
    at = cut;
  }
  scanner.end();
  return parts.join("");
}

/** Returns what is wrong with how a text is scanned with checks, or null. Throws OutsideError or AssertError. */
export async function checkedFailure(
  bytes: Uint8Array,
  scanned: Scanned,
  cuts: readonly number[],
  forbidden?: string,
): Promise<string | null> {
  const loading = loaded.get(forbidden) ?? loadChecked(forbidden);
  loaded.set(forbidden, loading);
  const { script, core, writer } = await loading;
  const usual = takeCore();
  const wanted = recordsOf({ checkOptions, formatted, scanOptionsOf, Scanner }, usual, bytes, scanned, cuts);
  releaseCore(usual);
  script.releaseCore(writer);
  try {
    const found = recordsOf(script, core, bytes, scanned, cuts);
    return found === wanted ? null : "checked core: other records";
  } catch (error) {
    throw error instanceof WebAssembly.RuntimeError ? new AssertError(`${error.message} in ${functionOf(error)}`) : error;
  } finally {
    script.takeCore();
  }
}
