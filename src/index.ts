// The module `urlmill`: re-exports only. It adds files, threads and Node's streams to the portable functions.

export { extractFiles } from "./api/extract-files.ts";
export { ExtractStream } from "./api/extract-stream.ts";
export { WorkerError } from "./base/errors.ts";
export type { ExtractFilesOptions, ExtractStreamOptions, FormatName } from "./options/options.ts";
export * from "./web.ts";
