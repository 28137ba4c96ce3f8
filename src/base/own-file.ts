// Opens a file safely, although another user may have replaced it by a different file.
import { closeSync, constants, fstatSync, openSync, type Stats } from "node:fs";
import { systemCode } from "./errors.ts";

interface OwnFile {
  readonly fd: number;
  readonly stats: Stats;
}

/** Returns an error with the code `EFOREIGN`, in the form of a system error. */
function foreign(path: string, what: string): Error {
  return Object.assign(new Error(`${path} ${what}`), { code: "EFOREIGN" });
}

/** Opens a regular file of this user without another name; follows no link, waits for no pipe. Throws the system's error, or `EFOREIGN`. */
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
    // Windows has neither of these flags, and no numeric user ids.
    return openSync(path, flags | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
  } catch (error) {
    // ELOOP: a symbolic link. ENXIO: a pipe that nobody reads.
    if (["ELOOP", "ENXIO"].includes(systemCode(error) ?? "")) throw foreign(path, "is no regular file");
    throw error;
  }
}
