// bzip2: streams one behind the other, blocks in each that begin at any bit.
import { SourceError } from "../../errors.ts";
import type { ByteReader } from "./byte-reader.ts";
import { type Block, readBlock, readText, SHORT, WRONG } from "./bzip2-block.ts";
import { corrupt, takeAll, truncated } from "./faults.ts";

/** Bytes looked at for a block: more than any that bzip2 writes. */
const BLOCK_BYTES = 1 << 20;
/** More than any block can have: each symbol in 20 bits. */
const BLOCK_BYTES_MAX = 1 << 22;

/** The text of all streams. Throws SourceError, also for what stands behind the last one, if that is not zeros. */
export async function* readBzip2(reader: ByteReader, source: string | undefined): AsyncGenerator<Uint8Array> {
  do {
    const header = await takeAll(reader, 4, source);
    yield* readStream(reader, 100_000 * ((header[3] ?? 0) & 15), source);
  } while (isBzip2(await reader.peek(4)));
  for (let rest = await reader.next(); rest !== undefined; rest = await reader.next()) {
    if (rest.some((byte) => byte !== 0)) {
      throw new SourceError("ERR_TRAILING", source, "has something behind its bzip2 data, which was not read");
    }
  }
}

function isBzip2(start: Uint8Array): boolean {
  return /^BZh[1-9]$/.test(Buffer.from(start).toString("latin1"));
}

async function* readStream(reader: ByteReader, size: number, source: string | undefined): AsyncGenerator<Uint8Array> {
  let bit = 0;
  let sums = 0;
  for (;;) {
    const { rows, start, sum, end } = await findBlock(reader, bit, size, source);
    if (rows === undefined) {
      await reader.skip(Math.ceil(end / 8));
      if (sum !== sums >>> 0) throw corrupt(source, "its checksum is wrong");
      return;
    }
    const found = yield* readText(rows, start);
    if (found !== sum) throw corrupt(source, "the checksum of a block is wrong");
    sums = ((sums << 1) | (sums >>> 31)) ^ sum;
    await reader.skip(end >> 3);
    bit = end & 7;
  }
}

async function findBlock(reader: ByteReader, bit: number, size: number, source: string | undefined): Promise<Block> {
  for (let wanted = BLOCK_BYTES; ; wanted *= 2) {
    const bytes = await reader.peek(wanted);
    try {
      return readBlock(bytes, bit, size);
    } catch (error) {
      if (error !== WRONG && error !== SHORT) throw error;
      if (error === WRONG || wanted >= BLOCK_BYTES_MAX) throw corrupt(source, "a block of bzip2 is wrong");
    }
    if (bytes.length === wanted) continue;
    // Whatever ended the reader is said first.
    await reader.skip(wanted);
    await reader.next();
    throw truncated(source);
  }
}
