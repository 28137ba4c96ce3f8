/** Folder of packages that are only measured. */
export const PEERS_FOLDER: string;

/** Returns a function that finds the URLs of a text. Rejects if the finder's package is not installed. */
export function makeFinder(name: string, pattern?: string): Promise<(text: string) => readonly string[]>;
