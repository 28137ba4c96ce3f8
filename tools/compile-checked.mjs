// The core for the fuzzer: WebAssembly with asserts, which checks each load and store. Its regions have gaps between them, so that what
// leaves one does not come to another; the same layout is for the TypeScript around it. Makes debug-checked.wasm, debug-layout.json and
// debug-allowed.bin.
import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { writeIfChanged } from "./write-file.mjs";

/** Bytes between two regions. Regions stay at page borders, where they are at some. */
const GAP = 0x10000;
/** Where low memory begins and ends: tables, the data of asc and the results. It has no gaps. Zeros are before it, which are only read. */
const LOW_START = 0x1000;
const LOW_BYTES = 0x10000;
/** Bytes around a region that searches may read. */
const OVERREAD = 64;
/** Bytes for which the map of what is allowed has one byte: 1 for loads, 2 for stores. */
const GRANULE_SHIFT = 4;
const PAGE = 0x10000;
/** Files that name addresses. */
const FILES = ["assembly/layout/memory.ts", "assembly/layout/decoded.ts"];
/** A constant: a number, a constant before it, or their sum. All addresses but the first are made of a constant before them. */
const CONSTANT = /(export const (\w+): i32 = )(\w+)(?: \+ (\w+))?;/g;

/** Values of the constants of the layouts by name, and the names of those that are addresses. */
function constantsIn(texts) {
  const values = new Map();
  const addresses = new Set();
  const numberOf = (term) => values.get(term) ?? Number(term);
  for (const [, , name, first, more = "0"] of texts.flatMap((text) => [...text.matchAll(CONSTANT)])) {
    values.set(name, numberOf(first) + numberOf(more));
    if (values.has(first)) addresses.add(name);
  }
  return { values, addresses };
}

/** The regions as they are, and by how much each moves. What DECODED_REGION begins is one region. */
function regionsOf({ values, addresses }) {
  const of = (name) => values.get(name);
  const names = [...addresses].filter((name) => of(name) >= LOW_BYTES && name !== "MEMORY_BYTES" && !/^DECODED_(?!REGION)/.test(name));
  // Where a region is smaller than the room that it has, or is used before its start too.
  const sizes = { WINDOW_REGION: of("WINDOW_BYTES"), HEAP_REGION: of("HEAP_BYTES"), SOURCE_INPUT: of("SOURCE_BYTES") };
  const before = { SOURCE_INPUT: of("SOURCE_INPUT") - of("HEAP_REGION") - of("HEAP_BYTES") };
  return names.map((name, index) => {
    const [start, next] = [of(name), of(names[index + 1] ?? "MEMORY_BYTES")];
    const by = GAP * (index + 1);
    return { name, start, by, from: start - (before[name] ?? 0) + by, to: start + (sizes[name] ?? next - start) + by };
  });
}

/** Text of a layout with the addresses moved. */
function movedLayout(text, { values, addresses }, regions, memoryBytes) {
  return text.replace(CONSTANT, (whole, declared, name) => {
    const value = values.get(name);
    if (name === "MEMORY_BYTES") return `${declared}${memoryBytes};`;
    if (value < LOW_BYTES || !addresses.has(name)) return whole;
    const region = regions.findLast(({ start }) => start <= value);
    return `${declared}${value + region.by};`;
  });
}

/** The map of what is allowed, a byte for each granule. */
function allowedMap(regions, memoryBytes) {
  const map = Buffer.alloc(memoryBytes >> GRANULE_SHIFT);
  const add = (from, to, bit) => {
    for (let at = from >> GRANULE_SHIFT; at < (to + (1 << GRANULE_SHIFT) - 1) >> GRANULE_SHIFT; at++) map[at] |= bit;
  };
  add(0, LOW_START, 1);
  for (const { from, to } of [{ from: LOW_START, to: LOW_BYTES }, ...regions]) {
    add(Math.max(0, from - OVERREAD), to + OVERREAD, 1);
    add(from, to, 2);
  }
  return map;
}

/** Functions in the place of those that binaryen's pass `instrument-memory` imports. Copies are checked at every page that they touch. */
const checks = (map) => `
 (func $is_allowed (param $address i32) (param $bit i32) (result i32)
  (if (result i32) (i32.ge_u (local.get $address) (i32.const ${map}))
   (then (i32.const 0))
   (else (i32.and (local.get $bit)
    (i32.load8_u offset=${map} (i32.shr_u (local.get $address) (i32.const ${GRANULE_SHIFT})))))))
 (func $check (param $address i32) (param $bytes i32) (param $bit i32)
  (if (i32.eqz (i32.and (call $is_allowed (local.get $address) (local.get $bit))
     (call $is_allowed (i32.sub (i32.add (local.get $address) (local.get $bytes)) (i32.const 1)) (local.get $bit))))
   (then (call $outside (local.get $address) (local.get $bytes) (local.get $bit)))))
 (func $check_range (param $address i32) (param $bytes i32) (param $bit i32)
  (local $at i32)
  (loop $next
   (if (i32.lt_u (local.get $at) (local.get $bytes))
    (then
     (call $check (i32.add (local.get $address) (local.get $at)) (i32.const 1) (local.get $bit))
     (local.set $at (i32.add (local.get $at) (i32.const ${PAGE >> 1})))
     (br $next))))
  (if (local.get $bytes) (then
   (call $check (i32.sub (i32.add (local.get $address) (local.get $bytes)) (i32.const 1)) (i32.const 1) (local.get $bit)))))
 (func $checked_copy (param $to i32) (param $from i32) (param $bytes i32)
  (call $check_range (local.get $from) (local.get $bytes) (i32.const 1))
  (call $check_range (local.get $to) (local.get $bytes) (i32.const 2))
  (memory.copy (local.get $to) (local.get $from) (local.get $bytes)))
 (func $checked_fill (param $to i32) (param $value i32) (param $bytes i32)
  (call $check_range (local.get $to) (local.get $bytes) (i32.const 2))
  (memory.fill (local.get $to) (local.get $value) (local.get $bytes)))
 (func $load_ptr (param $id i32) (param $bytes i32) (param $offset i32) (param $address i32) (result i32)
  (call $check (i32.add (local.get $address) (local.get $offset)) (local.get $bytes) (i32.const 1))
  (local.get $address))
 (func $store_ptr (param $id i32) (param $bytes i32) (param $offset i32) (param $address i32) (result i32)
  (call $check (i32.add (local.get $address) (local.get $offset)) (local.get $bytes) (i32.const 2))
  (local.get $address))
 (func $memory_grow_pre (param i32 i32) (result i32) (local.get 1))
 (func $memory_grow_post (param i32 i32) (result i32) (local.get 1))
${["i32", "i64", "f32", "f64"]
  .flatMap((type) => ["load", "store"].map((kind) => ` (func $${kind}_val_${type} (param i32 ${type}) (result ${type}) (local.get 1))`))
  .join("\n")}
`;
const IMPORT = /\(import "\w+" "(?:load|store|struct|array|memory_grow)_\w+" [^\n]*\n/g;

function instrumented(binaryen, wasm, map) {
  const module = binaryen.readBinary(wasm);
  module.setFeatures(binaryen.Features.All);
  module.runPasses(["instrument-memory"]);
  const text = module.emitText();
  module.dispose();
  const imports = text.match(IMPORT) ?? [];
  if (imports.length < 4) throw new Error("binaryen's instrument-memory has another form");
  const outside = '(import "checked" "outside" (func $outside (param i32 i32 i32)))\n';
  const checked = text
    .replace(imports[0], () => outside)
    .replaceAll(IMPORT, "")
    .replaceAll(/\(memory\.(copy|fill)/g, "(call $checked_$1")
    .replace(/\)\s*$/, () => `${checks(map)})`);
  const result = binaryen.parseText(checked);
  result.setFeatures(binaryen.Features.All);
  const code = result.emitBinary();
  result.dispose();
  return code;
}

/** Compiles the core with checks. */
export async function compileChecked(root) {
  const { default: asc } = await import("assemblyscript/asc");
  const { default: binaryen } = await import("binaryen");
  const texts = FILES.map((file) => readFileSync(join(root, file), "utf8"));
  const constants = constantsIn(texts);
  const regions = regionsOf(constants);
  const memoryBytes = Math.ceil(Math.max(...regions.map(({ to }) => to + GAP)) / PAGE) * PAGE;
  const map = allowedMap(regions, memoryBytes);
  const pages = (memoryBytes + Math.ceil(map.length / PAGE) * PAGE) / PAGE;
  const moved = new Map(FILES.map((file, index) => [resolve(root, file), movedLayout(texts[index], constants, regions, memoryBytes)]));
  const written = new Map();
  const target = ["--target", "debug", "--outFile", "checked.wasm", "--initialMemory", `${pages}`];
  const { error, stderr } = await asc.main(["assembly/index.ts", "--config", join(root, "asconfig.json"), "--baseDir", root, ...target], {
    readFile: (name, folder) => {
      const path = resolve(folder, name);
      return moved.get(path) ?? (existsSync(path) ? readFileSync(path, "utf8") : null);
    },
    writeFile: (name, contents) => void written.set(name, contents),
  });
  if (error) throw new Error(`asc checked: ${error.message}\n${stderr.toString()}`);
  const folder = join(root, "build/wasm");
  writeIfChanged(join(folder, "debug-checked.wasm"), instrumented(binaryen, written.get("checked.wasm"), memoryBytes));
  writeIfChanged(join(folder, "debug-allowed.bin"), map);
  const movedConstants = Object.fromEntries(constantsIn([...moved.values()]).values);
  const names = regions.map(({ name, from, to }) => ({ name, from, to }));
  writeIfChanged(
    join(folder, "debug-layout.json"),
    `${JSON.stringify({ regions: names, memoryBytes, pages, constants: movedConstants })}\n`,
  );
}
