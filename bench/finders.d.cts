/** Folder into which packages are installed that are measured and nothing else. */
export const PEERS_FOLDER: string;

/** A function from a text to its URLs. Rejects where the finder's package is not installed. */
export function makeFinder(name: string, pattern?: string): Promise<(text: string) => readonly string[]>;
