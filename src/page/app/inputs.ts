// Makes inputs from what the user drops, chooses or pastes, from the example, and from the archives of the server.
import type { PageInput } from "./input-bytes.ts";

/** Returns a file as an input with the name `path`: by default its path in the chosen folder, or its own name. */
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

export function pastedInput(text: string): PageInput {
  const bytes = new Blob([text]);
  return { name: "pasted text", size: bytes.size, bytes };
}

/** Messages of the example: their day, sender, subject, and an HTML or plain body. */
const EXAMPLE: readonly (readonly [date: string, from: string, subject: string, body: string])[] = [
  ["3 Mar 1996", "ada@mill.example", "Stones", "See http://www.mill.example/stones/ and ftp://ftp.mill.example/pub/ ."],
  ["9 Mar 1996", "ben@rye.example", "Re: Stones", "> http://www.mill.example/stones/\n\nAlso gopher://gopher.rye.example/1/wheat"],
  ["14 Jun 2004", "ada@mill.example", "Sieves", "https://www.mill.example/sieves?utm_source=list and http://192.0.2.7/x"],
  ["2 Feb 2022", "desk@bank.example", "Your account", '<p>Sign in: <a href="https://login.test.example/">www.bank.example</a></p>'],
  ["2 Feb 2022", "cleo@oats.example", "A link", "https://www.google.com/url?q=https%3A%2F%2Foats.example%2Fbread"],
];

export function exampleInput(): PageInput {
  const messages = EXAMPLE.map(([date, from, subject, body], index) => {
    const type = body.startsWith("<") ? "text/html" : "text/plain";
    const fields = [`From: ${from}`, `Date: ${date} 10:00:00 +0000`, `Subject: ${subject}`, `Message-ID: <${index}@mill.example>`];
    return `From ${from} Wed Feb  2 10:00:00 2022\n${fields.join("\n")}\nContent-Type: ${type}\n\n${body}\n\n`;
  });
  return { ...pastedInput(messages.join("")), name: "example.mbox" };
}

/** An item with a handle: in a page that was opened from the disk, Chromium reads a folder only by its handle. */
interface ChromiumItem {
  getAsFileSystemHandle?(): Promise<FileSystemHandle | null>;
}

/** Returns dropped files, and all files in dropped folders. An unreadable file or folder is an input without bytes. */
export async function droppedInputs({ items }: DataTransfer): Promise<PageInput[]> {
  // The items are valid only until the listener returns.
  const dropped = Array.from(items, (item) => {
    const listing = (item as ChromiumItem).getAsFileSystemHandle?.();
    return { entry: item.webkitGetAsEntry(), file: item.getAsFile(), listing: listing?.catch(() => null) };
  });
  const found = dropped.map(async ({ entry, file, listing }) => {
    if (entry?.isDirectory !== true) return file === null ? [] : [inputOf(file)];
    const folder = await listing;
    return inOrder(folder ? await filesOfFolder(folder as FileSystemDirectoryHandle, folder.name) : await filesOfEntry(entry));
  });
  return (await Promise.all(found)).flat();
}

async function filesOfFolder(folder: FileSystemDirectoryHandle, path: string): Promise<PageInput[]> {
  const found: PageInput[] = [];
  try {
    for await (const one of folder.values()) {
      const name = `${path}/${one.name}`;
      if (one.kind === "directory") found.push(...(await filesOfFolder(one, name)));
      else found.push(await opened(one.getFile(), name));
    }
  } catch {
    found.push(unreadable(path));
  }
  return found;
}

async function filesOfEntry(entry: FileSystemEntry): Promise<PageInput[]> {
  const name = entry.fullPath.replace(/^\//, "");
  if (entry.isFile) return [await opened(new Promise((resolve, reject) => (entry as FileSystemFileEntry).file(resolve, reject)), name)];
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  const found: PageInput[] = [];
  try {
    // A reader gives at most a hundred entries at a time.
    for (;;) {
      const entries = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
      if (entries.length === 0) return found;
      for (const one of entries) found.push(...(await filesOfEntry(one)));
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

export function servedInputs(): PageInput[] {
  const listed = JSON.parse(document.getElementById("archives")?.textContent || "[]") as { name: string; size: number }[];
  return listed.map(({ name, size }, index) => ({ name, size, bytes: new URL(`archive/${index}`, location.href).href }));
}
