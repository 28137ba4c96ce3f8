// Writes small archives of zip and tar.
import { crc32, deflateRawSync } from "node:zlib";

/** A file in an archive. */
export interface Written {
  readonly name: string | Buffer;
  readonly text: string | Buffer;
}

/** How a file of a zip archive is written. */
export interface ZipForm {
  readonly method?: number;
  /** Sizes and checksum come after the file. */
  readonly isOpenEnded?: boolean;
  /** Attributes of Unix. */
  readonly mode?: number;
  readonly sum?: number;
}

function header(signature: number, numbers: readonly (readonly [bytes: number, value: number])[]): Buffer {
  const bytes = Buffer.alloc(4 + numbers.reduce((sum, [count]) => sum + count, 0));
  bytes.writeUInt32LE(signature, 0);
  let at = 4;
  for (const [count, value] of numbers) {
    bytes.writeUIntLE(value, at, count);
    at += count;
  }
  return bytes;
}

/** A zip archive. */
export function zip(files: readonly (Written & ZipForm)[]): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let at = 0;
  for (const { name, text, method = 8, isOpenEnded = false, mode = 0o100644, sum } of files) {
    const plain = Buffer.from(text as string);
    const packed = method === 8 ? deflateRawSync(plain) : plain;
    const rawName = Buffer.from(name as string);
    const sizes = [
      [4, sum ?? crc32(plain)],
      [4, packed.length],
      [4, plain.length],
    ] as const;
    const before = isOpenEnded
      ? ([
          [4, 0],
          [4, 0],
          [4, 0],
        ] as const)
      : sizes;
    const common = [
      [2, 20],
      [2, isOpenEnded ? 8 : 0],
      [2, method],
      [4, 0],
    ] as const;
    const local = header(0x04034b50, [...common, ...before, [2, rawName.length], [2, 0]]);
    const descriptor = isOpenEnded ? header(0x08074b50, sizes) : Buffer.alloc(0);
    const rest = [
      [2, rawName.length],
      [2, 0],
      [2, 0],
      [2, 0],
      [2, 0],
      [4, mode * 2 ** 16],
      [4, at],
    ] as const;
    directory.push(header(0x02014b50, [[2, 0x0314], ...common, ...sizes, ...rest]), rawName);
    parts.push(local, rawName, packed, descriptor);
    at += local.length + rawName.length + packed.length + descriptor.length;
  }
  const listed = Buffer.concat(directory);
  const end = header(0x06054b50, [
    [2, 0],
    [2, 0],
    [2, files.length],
    [2, files.length],
    [4, listed.length],
    [4, at],
    [2, 0],
  ]);
  return Buffer.concat([...parts, listed, end]);
}

/** One file of a tar archive: its header, its text, what fills the last block. */
export function tarFile({ name, text }: Written, type = "0", size?: Buffer): Buffer {
  const block = Buffer.alloc(512);
  const plain = Buffer.from(text as string);
  Buffer.from(name as string).copy(block, 0, 0, 100);
  block.write(`0000644\0${"0000000\0".repeat(2)}`, 100);
  block.write(`${plain.length.toString(8).padStart(11, "0")}\0`, 124);
  size?.copy(block, 124);
  block.write(`00000000000\0        ${type}`, 136);
  block.write("ustar\x0000", 257, "latin1");
  block.write(
    `${block
      .reduce((sum, byte) => sum + byte, 0)
      .toString(8)
      .padStart(6, "0")}\0 `,
    148,
  );
  return Buffer.concat([block, plain, Buffer.alloc(-plain.length & 511)]);
}

/** Two empty blocks. */
export const TAR_END: Buffer = Buffer.alloc(1024);

/** A tar archive. */
export function tar(files: readonly Written[]): Buffer {
  return Buffer.concat([...files.map((file) => tarFile(file)), TAR_END]);
}
