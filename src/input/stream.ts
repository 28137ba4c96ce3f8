// Inputs without offsets: pipes, terminals, devices.
import { createReadStream, fstatSync, open } from "node:fs";
import type { Readable } from "node:stream";
import { SourceError } from "../base/errors.ts";
import type { FileSource } from "./paths.ts";

/** Opens a source that is no regular file. Rejects with SourceError. */
export async function openStream({ file, name }: FileSource): Promise<Readable> {
  if (typeof file === "number") return process.stdin;
  const fd = await new Promise<number>((resolve, reject) => {
    open(typeof file === "string" ? file : Buffer.from(file), "r", (error, opened) =>
      error === null ? resolve(opened) : reject(SourceError.from(name, error)),
    );
  });
  if (!fstatSync(fd).isFIFO()) return createReadStream("", { fd });
  // A socket polls the descriptor. A blocking read in the thread pool would keep the process from ending.
  const { Socket } = await import("node:net");
  return new Socket({ fd, readable: true, writable: false });
}
