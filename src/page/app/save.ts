// Writes files: directly if the browser allows it, else as a download.
import { settingsOf } from "../../options/options.ts";
import { download } from "../view/dom.ts";
import type { ChosenOptions } from "./option-form.ts";
import type { PageInput, Reply } from "./page-worker.ts";
import { PageWorker } from "./page-worker.ts";

/** Bytes of a download that are joined to one Blob. The browser keeps Blobs outside the memory of the page. */
const BLOB_BYTES = 8 << 20;

/** The part of the File System API that the DOM types lack. */
interface Picker {
  showSaveFilePicker?: (options: { suggestedName: string }) => Promise<FileSystemFileHandle>;
}

/** Asks the user for the file to write. Returns undefined if the user cancels, and a download if the browser cannot ask. */
async function openTarget(name: string): Promise<WritableStreamDefaultWriter<BufferSource> | undefined> {
  const { showSaveFilePicker } = globalThis as unknown as Picker;
  if (showSaveFilePicker === undefined) return downloadOf(name).getWriter();
  try {
    return (await (await showSaveFilePicker({ suggestedName: name })).createWritable()).getWriter();
  } catch (error) {
    if (error instanceof DOMException && error.name === "AbortError") return undefined;
    // The picker is not allowed in a frame, for example.
    return downloadOf(name).getWriter();
  }
}

/** Returns a file that the browser downloads from the page's own memory. */
function downloadOf(name: string): WritableStream<BufferSource> {
  let parts: BlobPart[] = [];
  let length = 0;
  return new WritableStream({
    write(bytes) {
      parts.push(bytes);
      length += bytes.byteLength;
      if (length >= BLOB_BYTES) [parts, length] = [[new Blob(parts)], 0];
    },
    close: () => download(name, parts),
  });
}

/** Writes a text as a file, unless the user cancels. */
export async function saveText(name: string, text: string): Promise<void> {
  const target = await openTarget(name);
  await target?.write(new TextEncoder().encode(text));
  await target?.close();
}

/** Writes records to a file, by another scan of the inputs. */
export class RecordsFile {
  readonly #worker: PageWorker;
  readonly #progressed: (bytes: number) => void;
  #target: WritableStreamDefaultWriter<BufferSource> | undefined;
  #writing: Promise<void> | undefined;
  #isStopped = false;

  /** `progressed` gets the number of input bytes read since its last call. */
  constructor(progressed: (bytes: number) => void) {
    this.#progressed = progressed;
    this.#worker = new PageWorker((reply) => this.#take(reply));
  }

  /** Writes the records. Returns whether the file is complete. Rejects if the worker fails, or if the file cannot be written. */
  async write(format: "csv" | "ndjson", inputs: readonly PageInput[], options: ChosenOptions): Promise<boolean> {
    this.#target = await openTarget(`urls.${format}`);
    try {
      if (this.#target === undefined) return false;
      const settings = settingsOf({ ...options.values, format, csvSafe: format === "csv" });
      await this.#worker.ask({ kind: "write", settings, inputs });
      await this.#writing;
      if (this.#isStopped) return false;
      await this.#target.close();
      return true;
    } catch (error) {
      await this.#target?.abort().catch(() => undefined);
      if (this.#isStopped) return false;
      throw error;
    } finally {
      this.#worker.end();
    }
  }

  stop(): void {
    this.#isStopped = true;
    this.#worker.end();
  }

  #take(reply: Reply): void {
    if (reply.kind === "read") this.#progressed(reply.bytes);
    if (reply.kind !== "written") return;
    this.#writing = this.#target?.write(reply.bytes).then(() => this.#worker.tell({ kind: "taken" }));
    // Ends the worker, so that `write` rejects.
    this.#writing?.catch(() => this.#worker.end());
  }
}
