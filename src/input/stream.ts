// Inputs without offsets: pipes, terminals, devices, repositories.
import { createReadStream, fstatSync, open } from "node:fs";
import { SourceError } from "../base/errors.ts";
import type { FileSource } from "./paths.ts";

/** Opens a source that is no regular file. Resolves to undefined for a repository without mail. Rejects with SourceError. */
export async function openStream(source: FileSource): Promise<AsyncIterable<Uint8Array> | undefined> {
  if (source.isRepository === true) return await (await import("./git-mail.ts")).openGitMail(source);
  const { file, name } = source;
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
