// Reads sizes and imports from built files.
import { execFileSync } from "node:child_process";

/** Bytes before the first section of a WebAssembly module, and the number of the section that holds the functions. */
const HEAD_BYTES = 8;
const CODE_SECTION = 10;

/** Returns the bytes of the body of each function of a WebAssembly module: V8 optimizes one as a whole. */
export function functionSizes(wasm: Uint8Array): number[] {
  let at = HEAD_BYTES;
  // An unsigned number in LEB128.
  const read = (): number => {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = wasm[at++] as number;
      value += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) return value;
    }
  };
  while (at < wasm.length) {
    const section = wasm[at++];
    const end = read() + at;
    if (section === CODE_SECTION) {
      return Array.from({ length: read() }, () => {
        const size = read();
        at += size;
        return size;
      });
    }
    at = end;
  }
  return [];
}

/** Returns the paths of a CommonJS bundle and of all bundles that loading it requires. */
export function modulesOf(file: string): string[] {
  const program = `require(${JSON.stringify(file)}); JSON.stringify(Object.keys(require.cache))`;
  return JSON.parse(execFileSync(process.execPath, ["-p", program], { encoding: "utf8" })) as string[];
}
