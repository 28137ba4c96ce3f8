// What the user drops, chooses or pastes: files and folders as a list of inputs.
import type { PageInput } from "./messages.ts";

/** Returns a file as an input, by its path in the folder that was chosen, or by its name. */
function inputOf(file: File, path = file.webkitRelativePath || file.name): PageInput {
  return { name: path, size: file.size, bytes: file };
}

/** Returns inputs in the order of the bytes of their names, as the command lists a folder. */
function inOrder(inputs: readonly PageInput[]): PageInput[] {
  const encoder = new TextEncoder();
  const keyed = inputs.map((input) => ({ input, key: String.fromCharCode(...encoder.encode(input.name)) }));
  return keyed.sort((one, other) => (one.key < other.key ? -1 : one.key > other.key ? 1 : 0)).map(({ input }) => input);
}

/** Returns the files that were chosen: those of a folder in order, others as they were chosen. */
export function chosenInputs(files: Iterable<File>): PageInput[] {
  const inputs = Array.from(files, (file) => inputOf(file));
  return inputs.some(({ name }) => name.includes("/")) ? inOrder(inputs) : inputs;
}

/** Returns a pasted text as an input. */
export function pastedInput(text: string): PageInput {
  const bytes = new Blob([text]);
  return { name: "pasted text", size: bytes.size, bytes };
}

/** Returns what was dropped, folders with all files in them. */
export async function droppedInputs({ items, files }: DataTransfer): Promise<PageInput[]> {
  // The entries are gone when the listener of the drop has returned.
  const entries = Array.from(items, (item) => item.webkitGetAsEntry());
  const all = chosenInputs(files);
  const found = await Promise.all(
    entries.map(async (entry) => (entry === null ? [] : entry.isDirectory ? inOrder(await filesIn(entry)) : await filesIn(entry))),
  );
  return found.flat().length > 0 ? found.flat() : all;
}

async function filesIn(entry: FileSystemEntry): Promise<PageInput[]> {
  if (entry.isFile) {
    const file = await new Promise<File>((resolve, reject) => (entry as FileSystemFileEntry).file(resolve, reject));
    return [inputOf(file, entry.fullPath.replace(/^\//, ""))];
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  const found: PageInput[] = [];
  // A reader gives a hundred entries at a time.
  for (;;) {
    const entries = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (entries.length === 0) return found;
    for (const one of entries) found.push(...(await filesIn(one)));
  }
}

/** Returns the archives that the server of the page was given. */
export function servedInputs(): PageInput[] {
  const listed = JSON.parse(document.getElementById("archives")?.textContent || "[]") as { name: string; size: number }[];
  return listed.map(({ name, size }, index) => ({ name, size, bytes: new URL(`archive/${index}`, location.href).href }));
}
