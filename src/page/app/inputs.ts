// Lists the files and folders that the user drops, chooses or pastes as inputs.
import type { PageInput } from "./messages.ts";

/** Returns a file as an input, by its path in the folder that was chosen, or by its name. */
function inputOf(file: File, path = file.webkitRelativePath || file.name): PageInput {
  return { name: path, size: file.size, bytes: file };
}

/** Returns inputs in the byte order of their names, as the command lists a folder. */
function inOrder(inputs: readonly PageInput[]): PageInput[] {
  const encoder = new TextEncoder();
  const keyed = inputs.map((input) => ({ input, key: String.fromCharCode(...encoder.encode(input.name)) }));
  return keyed.sort((one, other) => (one.key < other.key ? -1 : one.key > other.key ? 1 : 0)).map(({ input }) => input);
}

/** Returns the chosen files: files of a folder in byte order, others in the order in which they were chosen. */
export function chosenInputs(files: Iterable<File>): PageInput[] {
  const inputs = Array.from(files, (file) => inputOf(file));
  return inputs.some(({ name }) => name.includes("/")) ? inOrder(inputs) : inputs;
}

/** Returns a pasted text as an input. */
export function pastedInput(text: string): PageInput {
  const bytes = new Blob([text]);
  return { name: "pasted text", size: bytes.size, bytes };
}

/** An item with a handle: in a page that was opened from the disk, Chromium reads a folder only by its handle. */
interface ChromiumItem {
  getAsFileSystemHandle?(): Promise<FileSystemHandle | null>;
}

/** Returns dropped files, and all files in dropped folders. An unreadable file is an input without bytes. */
export async function droppedInputs({ items }: DataTransfer): Promise<PageInput[]> {
  // The items are valid only until the listener returns.
  const dropped = Array.from(items, (item) => {
    const listing = (item as ChromiumItem).getAsFileSystemHandle?.();
    return { entry: item.webkitGetAsEntry(), file: item.getAsFile(), listing: listing?.catch(() => null) };
  });
  const found = dropped.map(async ({ entry, file, listing }) => {
    if (entry?.isDirectory !== true) return file === null ? [] : [inputOf(file)];
    const folder = await listing;
    return inOrder(folder ? await filesOf(folder as FileSystemDirectoryHandle, folder.name) : await filesIn(entry));
  });
  return (await Promise.all(found)).flat();
}

async function filesOf(folder: FileSystemDirectoryHandle, path: string): Promise<PageInput[]> {
  const found: PageInput[] = [];
  try {
    for await (const one of folder.values()) {
      const name = `${path}/${one.name}`;
      if (one.kind === "directory") found.push(...(await filesOf(one, name)));
      else found.push(await opened(one.getFile(), name));
    }
  } catch {
    found.push(unreadable(path));
  }
  return found;
}

async function filesIn(entry: FileSystemEntry): Promise<PageInput[]> {
  const name = entry.fullPath.replace(/^\//, "");
  if (entry.isFile) return [await opened(new Promise((resolve, reject) => (entry as FileSystemFileEntry).file(resolve, reject)), name)];
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  const found: PageInput[] = [];
  try {
    // A reader gives at most a hundred entries at a time.
    for (;;) {
      const entries = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
      if (entries.length === 0) return found;
      for (const one of entries) found.push(...(await filesIn(one)));
    }
  } catch {
    return [...found, unreadable(name)];
  }
}

async function opened(file: Promise<File>, path: string): Promise<PageInput> {
  try {
    return inputOf(await file, path);
  } catch {
    return unreadable(path);
  }
}

function unreadable(name: string): PageInput {
  return { name, size: 0, bytes: undefined };
}

/** Returns the archives that the server of the page offers. */
export function servedInputs(): PageInput[] {
  const listed = JSON.parse(document.getElementById("archives")?.textContent || "[]") as { name: string; size: number }[];
  return listed.map(({ name, size }, index) => ({ name, size, bytes: new URL(`archive/${index}`, location.href).href }));
}
