// Archives and compressed texts for properties, and mistakes of bytes in them (A11).
import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { TAR_END, tarFile, type Written, type ZipForm, zip } from "./archives.ts";
import { BZIP2, BZIP2_BLOCKS, LONG, TEXT, XZ, XZ_BLOCKS, XZ_CRC32, XZ_SHA256 } from "./packed.ts";

const text = fc.oneof(
  fc.constantFrom("", TEXT, LONG.slice(0, 70_000), "http://a.example/\n"),
  fc.string({ unit: fc.constantFrom("a", "b", "http://x.example/", "\n", " "), maxLength: 400 }),
);
const name = fc.string({ unit: fc.constantFrom("a", "b", "folder/", ".eml", "-"), minLength: 1, maxLength: 12 }).map((made) => `f${made}z`);
/** Zip archives of some small texts. */
export const zips: fc.Arbitrary<Buffer> = fc
  .array(fc.record({ name, text, method: fc.constantFrom(0, 8), isOpenEnded: fc.boolean() }), { maxLength: 6 })
  .map((files: (Written & ZipForm)[]) => zip(files));
const longNamed = (file: Written): Buffer[] => [tarFile({ name: "long", text: `${"d/".repeat(60)}${file.name}\0` }, "L"), tarFile(file)];
/** Tar archives of some small texts. */
export const tars: fc.Arbitrary<Buffer> = fc
  .array(fc.tuple(fc.record({ name, text }), fc.boolean()), { minLength: 1, maxLength: 6 })
  .map((files) => Buffer.concat([...files.flatMap(([file, isLong]) => (isLong ? longNamed(file) : [tarFile(file)])), TAR_END]));
/** Compressed texts, each in several members. */
export const compressed: fc.Arbitrary<Buffer> = fc.oneof(
  fc.array(text, { minLength: 1, maxLength: 3 }).map((texts) => Buffer.concat(texts.map((one) => gzipSync(one)))),
  fc.array(fc.constantFrom(BZIP2, BZIP2_BLOCKS), { minLength: 1, maxLength: 3 }).map((streams) => Buffer.concat(streams)),
  fc.array(fc.constantFrom(XZ, XZ_BLOCKS, XZ_CRC32, XZ_SHA256), { minLength: 1, maxLength: 3 }).map((streams) => Buffer.concat(streams)),
);

/** Places of a mutation are as many parts of the bytes. */
const ADDRESSES = 1_000_000;
/** Changes some bytes. */
export type Mutation = (bytes: Buffer) => Buffer;
/** One mistake of bytes, as those of a damaged disk. */
export const mutation: fc.Arbitrary<Mutation> = fc
  .tuple(fc.constantFrom("flip", "set", "cut", "insert", "delete"), fc.noBias(fc.nat(ADDRESSES)), fc.nat(255))
  .map(([kind, place, value]) => (bytes) => {
    const at = Math.floor((place / ADDRESSES) * (bytes.length - 1));
    const changed = Buffer.from(bytes);
    if (kind === "flip") changed[at] = (changed[at] ?? 0) ^ (1 << (value & 7));
    if (kind === "set") changed[at] = value;
    if (kind === "cut") return changed.subarray(0, at);
    if (kind === "insert") return Buffer.concat([changed.subarray(0, at), Buffer.alloc((value & 7) + 1, value), changed.subarray(at)]);
    if (kind === "delete") return Buffer.concat([changed.subarray(0, at), changed.subarray(at + (value & 15) + 1)]);
    return changed;
  });
