// Opens bytes and reads all members.
import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SourceError } from "../../src/base/errors.ts";
import { CONTAINER_LIMITS, type ContainerLimits } from "../../src/input/containers/limits.ts";
import { openMembers as memberSteps, type PackedSource } from "../../src/input/containers/members.ts";
import { InputFile } from "../../src/input/file.ts";
import type { Pacer } from "../../src/input/pacer.ts";
import { fromAsync, toAsync } from "../../src/input/steps.ts";

/** A member as it was read: `name`, its text, and the code of the error after it. */
export type Read = readonly [name: string | undefined, text: string, code?: string];

/** The bytes in chunks of `size`. */
export async function* chunksOf(bytes: Uint8Array, size = 1 << 16): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

type Opened = Omit<PackedSource, "chunks"> & { readonly chunks: AsyncIterable<Uint8Array> };

/** Yields the members of a source, with their chunks over time. */
export async function* openMembers({ chunks, ...source }: Opened, limits?: ContainerLimits, pacer?: Pacer) {
  for await (const member of toAsync(memberSteps({ ...source, chunks: fromAsync(chunks) }, limits, pacer)))
    yield { ...member, chunks: toAsync(member.chunks) };
}

/** Reads the members of a stream. */
export async function openBytes(
  name: string | undefined,
  bytes: Uint8Array,
  options: Partial<ContainerLimits> = {},
  size?: number,
  encoding?: BufferEncoding,
): Promise<Read[]> {
  return readAll(openMembers({ name, chunks: chunksOf(bytes, size) }, { ...CONTAINER_LIMITS, ...options }), encoding);
}

/** Reads the members of a file. */
export async function openAsFile(
  name: string,
  bytes: Uint8Array,
  options: Partial<ContainerLimits> = {},
  encoding?: BufferEncoding,
): Promise<Read[]> {
  const folder = mkdtempSync(join(tmpdir(), "urlmill-"));
  writeFileSync(join(folder, "file"), bytes);
  const fd = openSync(join(folder, "file"), "r");
  try {
    const file = new InputFile({ file: fd, name, size: bytes.length }, "auto");
    return await readAll(openMembers({ name, chunks: chunksOf(bytes), file }, { ...CONTAINER_LIMITS, ...options }), encoding);
  } finally {
    closeSync(fd);
    rmSync(folder, { recursive: true });
  }
}

async function readAll(members: ReturnType<typeof openMembers>, encoding?: BufferEncoding): Promise<Read[]> {
  const found: Read[] = [];
  for await (const { name, chunks } of members) {
    const read: Buffer[] = [];
    try {
      for await (const chunk of chunks) read.push(Buffer.from(chunk));
      found.push([name, Buffer.concat(read).toString(encoding)]);
    } catch (error) {
      if (!(error instanceof SourceError)) throw error;
      found.push([name, Buffer.concat(read).toString(encoding), error.code]);
    }
  }
  return found;
}
