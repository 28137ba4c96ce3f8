// Compound files (MS-CFB): folders and files in one file. Outlook messages are stored so.
import { concat, readU16, readU32 } from "../../base/arrays.ts";

const HEADER_BYTES = 512;
const SECTOR_SHIFT_AT = 30; // Header offset of the binary logarithm of the sector size
const DIRECTORY_AT = 48; // Header offset of the number of the directory's first sector
const SMALL_TABLE_AT = 60; // Header offset of the number of the first sector of the allocation table of small sectors
const TABLE_LIST_AT = 68; // Header offset of the number of the first sector that lists further sectors of the allocation table
const TABLES_AT = 76; // Header offset of the numbers of the first sectors of the allocation table

const MARKS_FROM = 0xfffffffa; // Sector numbers from here on are marks: the end of a chain, free sectors
const SMALL_SHIFT = 6; // Binary logarithm of the size of a small sector
const SMALL_BYTES = 4096; // Streams of fewer bytes are in small sectors
const ENTRY_BYTES = 128;
const READINGS_MAX = 4; // Most bytes of sectors that are read for each byte of the file
const DEPTH_MAX = 32; // Most nested folders
const STORAGE = 1;
const STREAM = 2;

type CompoundEntry = ReturnType<typeof entriesOf>[number];

export interface Storage {
  readonly storages: ReadonlyMap<string, Storage>;
  /** Returns the readable bytes of a stream, or undefined if no stream has this name. */
  read(name: string): Uint8Array | undefined;
  /** Yields the readable bytes of all streams, also of those in folders of the folder. */
  readAll(): Generator<Uint8Array>;
}

/** Its lengths and numbers are not trusted: a chain ends at a sector that is missing or was in the chain before. */
export class CompoundFile {
  readonly root: Storage;
  /** Whether some sector, stream or folder could not be read completely. Reading a stream may set it. */
  isDamaged = false;
  readonly #bytes: Uint8Array;
  readonly #shift: number;
  readonly #table: Uint32Array;
  readonly #smallTable: Uint32Array;
  readonly #small: Uint8Array;
  readonly #entries: readonly CompoundEntry[];
  #left: number; // Bytes of sectors that may still be read. In a valid file streams share no sectors
  readonly #taken = new Set<number>([0]); // Indexes of entries that are in a folder already. An entry belongs to one folder

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#left = READINGS_MAX * bytes.length;
    this.#shift = readU16(bytes, SECTOR_SHIFT_AT) === 12 ? 12 : 9;
    this.#table = wordsOf(concat(this.#tableSectors()));
    this.#entries = entriesOf(this.#chain(readU32(bytes, DIRECTORY_AT)));
    this.#smallTable = wordsOf(this.#chain(readU32(bytes, SMALL_TABLE_AT)));
    const [root] = this.#entries;
    this.#small = root === undefined ? new Uint8Array(0) : this.#chain(root.start);
    this.root = this.#storage(root?.child ?? MARKS_FROM, 0);
  }

  #sector(index: number): Uint8Array {
    const at = (index + 1) * 2 ** this.#shift;
    if (at >= this.#bytes.length) this.isDamaged = true;
    return this.#bytes.subarray(at, at + 2 ** this.#shift);
  }

  /** Returns the sectors of the allocation table (FAT). The header lists the first ones, a chain of sectors lists the others. */
  #tableSectors(): Uint8Array[] {
    const sectors: Uint8Array[] = [];
    const size = 2 ** this.#shift;
    // The table has a number for each sector of the file.
    const most = Math.ceil((4 * Math.ceil(this.#bytes.length / size)) / size);
    const add = (list: Uint8Array): void => {
      for (const index of wordsOf(list)) if (index < MARKS_FROM && sectors.length < most) sectors.push(this.#sector(index));
    };
    add(this.#bytes.subarray(TABLES_AT, HEADER_BYTES));
    const seen = new Set<number>();
    for (let index = readU32(this.#bytes, TABLE_LIST_AT); index < MARKS_FROM && sectors.length < most && !seen.has(index); ) {
      seen.add(index);
      const sector = this.#sector(index);
      if (sector.length < size) break;
      add(sector.subarray(0, -4));
      index = readU32(sector, sector.length - 4);
    }
    return sectors;
  }

  #chain(start: number): Uint8Array {
    return this.#joined(start, this.#table, (index) => this.#sector(index));
  }

  #joined(start: number, table: Uint32Array, sector: (index: number) => Uint8Array): Uint8Array {
    const parts: Uint8Array[] = [];
    const seen = new Set<number>();
    let index = start;
    for (; index < table.length && !seen.has(index) && this.#left > 0; index = table[index] ?? MARKS_FROM) {
      const part = sector(index);
      if (part.length === 0) break;
      seen.add(index);
      this.#left -= part.length;
      parts.push(part);
    }
    if (index < MARKS_FROM) this.isDamaged = true;
    return concat(parts);
  }

  /** Returns the folder whose entries are the tree below `top`. The folder is inside `depth` others. */
  #storage(top: number, depth: number): Storage {
    const streams = new Map<string, CompoundEntry>();
    const storages = new Map<string, Storage>();
    const open = [top];
    for (let index = open.pop(); index !== undefined; index = open.pop()) {
      const entry = this.#entries[index];
      if (entry === undefined || this.#taken.has(index)) continue;
      this.#taken.add(index);
      open.push(entry.right, entry.left);
      if (entry.type === STREAM) streams.set(entry.name, entry);
      else if (entry.type === STORAGE && depth < DEPTH_MAX) storages.set(entry.name, this.#storage(entry.child, depth + 1));
      else if (entry.type === STORAGE) this.isDamaged = true;
    }
    const read = (name: string): Uint8Array | undefined => {
      const entry = streams.get(name);
      return entry === undefined ? undefined : this.#stream(entry);
    };
    const readAll = function* (): Generator<Uint8Array> {
      for (const name of streams.keys()) yield read(name) as Uint8Array;
      for (const inner of storages.values()) yield* inner.readAll();
    };
    return { storages, read, readAll };
  }

  #stream({ start, size }: CompoundEntry): Uint8Array {
    if (size === 0) return new Uint8Array(0);
    const step = 2 ** SMALL_SHIFT;
    const small = (index: number): Uint8Array => this.#small.subarray(index * step, (index + 1) * step);
    const bytes = size < SMALL_BYTES ? this.#joined(start, this.#smallTable, small) : this.#chain(start);
    if (bytes.length < size) this.isDamaged = true;
    return bytes.subarray(0, size);
  }
}

function wordsOf(bytes: Uint8Array): Uint32Array {
  return Uint32Array.from({ length: bytes.length >> 2 }, (_, index) => readU32(bytes, 4 * index));
}

/** Returns streams, folders and unused entries. `left`, `right` and `child` are indexes of entries; `start` is a sector. */
function entriesOf(directory: Uint8Array) {
  return Array.from({ length: Math.floor(directory.length / ENTRY_BYTES) }, (_, index) => {
    const bytes = directory.subarray(index * ENTRY_BYTES, (index + 1) * ENTRY_BYTES);
    const nameBytes = Math.max(0, Math.min(64, readU16(bytes, 64)) - 2);
    return {
      name: new TextDecoder("utf-16le").decode(bytes.subarray(0, nameBytes)),
      type: bytes[66],
      left: readU32(bytes, 68),
      right: readU32(bytes, 72),
      child: readU32(bytes, 76),
      start: readU32(bytes, 116),
      size: readU32(bytes, 120),
    };
  });
}
