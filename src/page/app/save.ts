// Writes files: directly if the browser allows it, else as a download.
import { settingsOf } from "../../options/options.ts";
import { download } from "../view/dom.ts";
import { PageWorker } from "./page-worker.ts";
import type { PageRun } from "./run.ts";

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

/**
 * Writes records to a file, by another scan of the inputs, until `signal` fires. `progressed` gets the number of input bytes read since its
 * last call. Returns whether the file is complete. Rejects if the worker fails, or if the file cannot be written.
 */
export async function saveRecords(
  format: "csv" | "ndjson",
  { inputs, options }: PageRun,
  signal: AbortSignal,
  progressed: (bytes: number) => void,
): Promise<boolean> {
  const target = await openTarget(`urls.${format}`);
  if (target === undefined) return false;
  const worker = new PageWorker((reply) => {
    if (reply.kind === "read") progressed(reply.bytes);
  });
  let failure: unknown;
  const { port1: pieces, port2 } = new MessageChannel();
  pieces.onmessage = ({ data: bytes }: MessageEvent<Uint8Array<ArrayBuffer>>) => {
    const written = target.write(bytes).then(() => pieces.postMessage(null));
    // Ends the worker, so that the call is rejected.
    written.catch((error: unknown) => {
      failure ??= error;
      worker.end();
    });
  };
  signal.addEventListener("abort", () => worker.end());
  try {
    signal.throwIfAborted();
    await worker.ask("write", [settingsOf({ ...options.values, format, csvSafe: format === "csv" }), inputs, port2], [port2]);
    signal.throwIfAborted();
    await target.close();
    return true;
  } catch (error) {
    await target.abort().catch(() => undefined);
    if (signal.aborted) return false;
    throw failure ?? error;
  } finally {
    worker.end();
  }
}
