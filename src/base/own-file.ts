// Opens a file whose name somebody else may have given to another one meanwhile.
import { closeSync, constants, fstatSync, openSync, type Stats } from "node:fs";
import { systemCode } from "./errors.ts";

/** An open file, and what it is. */
export interface OwnFile {
  readonly fd: number;
  readonly stats: Stats;
}

/** Returns an error with a code, as those of the system have it. */
function foreign(path: string, what: string): Error {
  return Object.assign(new Error(`${path} ${what}`), { code: "EFOREIGN" });
}

/**
 * Opens a regular file that this user owns, by this name alone. A link is not followed, a pipe not waited for. Throws the system's error,
 * and one with the code `EFOREIGN` for another file.
 */
export function openOwn(path: string, flags: number): OwnFile {
  const fd = openHere(path, flags);
  try {
    const stats = fstatSync(fd);
    if (!stats.isFile()) throw foreign(path, "is no regular file");
    if (stats.nlink > 1) throw foreign(path, "has another name too");
    if (process.getuid !== undefined && stats.uid !== process.getuid()) throw foreign(path, "is another user's");
    return { fd, stats };
  } catch (error) {
    closeSync(fd);
    throw error;
  }
}

function openHere(path: string, flags: number): number {
  try {
    // Windows has neither of the two, nor users with numbers.
    return openSync(path, flags | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
  } catch (error) {
    // A link, and a pipe that nobody reads.
    if (["ELOOP", "ENXIO"].includes(systemCode(error) ?? "")) throw foreign(path, "is no regular file");
    throw error;
  }
}
