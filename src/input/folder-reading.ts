// Chooses the files of a folder: by globs, and by following links or not.
import type { FolderOptions } from "../options/options.ts";

/** Tests a path, relative to the folder that was given. */
type PathTest = (path: string, isFolder: boolean) => boolean;

export interface FolderReading {
  readonly follow: boolean;
  /** Selects the files that are read, and folders whose files are all read. Absent: all. */
  readonly includes?: PathTest;
  /** Selects the files and folders that are left out. */
  readonly excludes?: PathTest;
}

export const ALL_FILES: FolderReading = { follow: false };

/** Returns how folders are read with these options. The glob library is loaded only if there are globs. */
export async function folderReading({ include, exclude, follow }: FolderOptions): Promise<FolderReading> {
  return {
    follow,
    ...(include.length > 0 && { includes: await testOf(include) }),
    ...(exclude.length > 0 && { excludes: await testOf(exclude) }),
  };
}

/**
 * Returns a test that is true if a path matches one of `globs`, which are like lines of a .gitignore. A glob with a slash before its end is
 * matched against the whole path, others against names at any depth. A glob that ends in a slash matches only folders.
 */
async function testOf(globs: readonly string[]): Promise<PathTest> {
  const { default: picomatch } = await import("picomatch");
  const tests = globs.map((glob): PathTest => {
    const ofFolders = glob.endsWith("/");
    const ofPaths = glob.slice(0, -1).includes("/");
    const matches = picomatch(glob.replace(/^\/|\/$/g, ""), { dot: true, nonegate: true, windows: false });
    return (path, isFolder) => (isFolder || !ofFolders) && matches(ofPaths ? path : path.slice(path.lastIndexOf("/") + 1));
  });
  return (path, isFolder) => tests.some((test) => test(path, isFolder));
}
