// Where the builds come from in the library: from modules, so that it also runs where there are no files. They can only be waited for;
// the best one is there when this module is. In the command and the pool's worker builds-command.ts stands in the place of this file.
import { BEST_BUILD } from "./best.ts";

type Twin = typeof import("./twin.ts");

/** The bytes of a WebAssembly build. */
export async function readBinary(build: "simd" | "scalar"): Promise<Uint8Array<ArrayBuffer>> {
  const { default: text } = build === "simd" ? await import("#wasm/simd.js") : await import("#wasm/scalar.js");
  if (typeof Buffer === "undefined") return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  return Buffer.from(text, "base64");
}

/** The twin's module; there is one a thread. */
export async function readTwin(): Promise<Twin> {
  return await import("./twin.ts");
}

const best = BEST_BUILD === "twin" ? await readTwin() : await readBinary(BEST_BUILD);

/** The bytes of the best build; only where that is no twin. */
export function bestBinary(): Uint8Array<ArrayBuffer> {
  return best as Uint8Array<ArrayBuffer>;
}

/** The twin's module; only where the twin is the best build. */
export function bestTwin(): Twin {
  return best as Twin;
}
