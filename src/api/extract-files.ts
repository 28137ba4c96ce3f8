// Extracts the matches of files, with worker threads.
import { fileURLToPath } from "node:url";
import { InputError, messageOf, wrongInput } from "../base/errors.ts";
import { shown } from "../base/shown.ts";
import { folderReading } from "../input/paths.ts";
import type { Match } from "../matches/match.ts";
import { checkOptions, type ExtractFilesOptions } from "../options/options.ts";
import { scanFiles } from "../threads/scan-files.ts";
import { matchesOf } from "./extract-from.ts";

/**
 * Returns the matches in files and folders, in the order of `paths`. The files below a folder are read in byte order of their paths; the
 * options may leave some out. A path may be a `file:` URL object. Throws OptionError and InputError at once. The iterator rejects with
 * SourceError at the first source that cannot be read, with WorkerError, or with the signal's reason. After the signal it yields nothing.
 */
export function extractFiles(paths: string | URL | readonly (string | URL)[], options?: ExtractFilesOptions): AsyncGenerator<Match> {
  const checked = checkOptions("extractFiles", options);
  const inputs = (Array.isArray(paths) ? paths : [paths]).map(pathOf);
  const { settings, range, signal, threads = 1 } = checked;
  return matchesOf(checked, async (sink) => {
    const folders = await folderReading(checked.folders);
    return await scanFiles(inputs, { settings, threads, folders, range, signal, failFast: true }, sink);
  });
}

/** Returns whether a value is a URL of any realm. */
function isUrl(value: unknown): value is URL {
  return typeof value === "object" && value !== null && "href" in value && "protocol" in value;
}

function pathOf(path: unknown): string {
  if (typeof path === "string") return path;
  if (!isUrl(path)) throw wrongInput("paths", "a string or a file: URL, or an array of these", path);
  try {
    return fileURLToPath(path);
  } catch (error) {
    throw new InputError(`paths: ${shown(path.href)} names no file (${messageOf(error)})`);
  }
}
