// The worker of the page: scans, sums, writes records, or tries a text, on request.

import { explain } from "../../api/explain.ts";
import { messageOf } from "../../base/errors.ts";
import type { Request, TriedPiece } from "./messages.ts";
import { CountingScan, type Send, WritingScan } from "./scan-worker.ts";
import { Sum } from "./sum-worker.ts";

/** The members of a worker's global scope that the DOM types lack. */
interface WorkerScope {
  onmessage: ((event: MessageEvent<Request>) => void) | null;
  postMessage(message: unknown, transfer: Transferable[]): void;
}

const scope = globalThis as unknown as WorkerScope;
const send: Send = (reply, transfer = []) => scope.postMessage(reply, transfer);

let counting: CountingScan | undefined;
let writing: WritingScan | undefined;
let sum: Sum | undefined;
let last: Promise<void> = Promise.resolve();

scope.onmessage = ({ data }) => {
  if (data.kind === "stop") counting?.scanner.stop();
  else if (data.kind === "taken") writing?.inFlight.acknowledge();
  else last = last.then(() => answer(data)).catch((error: unknown) => send({ kind: "broken", message: messageOf(error) }));
};

async function answer(request: Exclude<Request, { kind: "stop" | "taken" }>): Promise<void> {
  if (request.kind === "begin") {
    counting = new CountingScan(request.settings, request.counts, send);
    return;
  }
  if (request.kind === "sum") {
    sum = new Sum(request.counts, request.most, (summary) => send({ kind: "summary", summary, isLast: false }));
    return;
  }
  if (request.kind === "scan") await counting?.scan(request.parts);
  else if (request.kind === "flush") await counting?.flush();
  else if (request.kind === "write") {
    writing = new WritingScan(send);
    await writing.write(request.inputs, request.settings);
  } else if (request.kind === "try") send({ kind: "tried", pieces: tryText(request.text) });
  else if (sum !== undefined) send({ kind: "summary", summary: sum.finish(), isLast: true });
  send({ kind: "done" });
}

/**
 * Cuts a text that the user typed into candidates, with the rules that decided, and the text between. Together the pieces are the text.
 * Throws InputError for a text of more than 256 KiB.
 */
function tryText(text: string): TriedPiece[] {
  const pieces: TriedPiece[] = [];
  let at = 0;
  for (const { start, end, url, kind, flags, code, steps } of explain(text, { bare: ["www"] })) {
    // A match inside another one has no piece of its own.
    if (start < at) continue;
    if (start > at) pieces.push({ text: text.slice(at, start) });
    const words = [...(kind === undefined || kind === "plain" ? [] : [kind]), ...flags, ...(code === undefined ? [] : [code])];
    pieces.push({ text: text.slice(start, end), candidate: { url, isMatch: kind !== undefined, words, rules: steps } });
    at = end;
  }
  if (at < text.length) pieces.push({ text: text.slice(at) });
  return pieces;
}
