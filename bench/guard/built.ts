// Reads sizes and imports from built files.
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";

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

/** Returns the paths of a CommonJS bundle and of all bundles that loading it requires. Bundles that it requires later are not included. */
export function modulesOf(file: string): string[] {
  const found = new Set<string>();
  const add = (path: string): void => {
    if (found.has(path)) return;
    found.add(path);
    for (const [, name = ""] of readFileSync(path, "utf8").matchAll(/(?<!=>)\brequire\("(\.\/[^"]+)"\)/g)) add(join(dirname(path), name));
  };
  add(file);
  return [...found];
}
