// The sink of a worker: what it posts to the main thread.
import type { MessagePort } from "node:worker_threads";
import { expect, it } from "vitest";
import { PortSink } from "../../src/threads/port-sink.ts";
import type { ResultMessage } from "../../src/threads/task.ts";

it("the bytes that a failed task has left are neither sent nor counted", () => {
  const posted: ResultMessage[] = [];
  const port = { postMessage: (message: ResultMessage) => void posted.push(message) } as unknown as MessagePort;
  const sink = new PortSink(port, new Int32Array(new SharedArrayBuffer(4)));
  sink.begin(1);
  sink.write({ kind: "bytes", bytes: Buffer.from("http://lost.example/\n"), count: 1 });
  sink.begin(2);
  sink.write({ kind: "bytes", bytes: Buffer.from("http://a.example/\n"), count: 1 });
  sink.end();
  expect(posted).toHaveLength(1);
  const [{ id, result, size, unread }] = posted as [ResultMessage];
  expect(id).toBe(2);
  expect(result.kind === "bytes" && Buffer.from(result.bytes).toString()).toBe("http://a.example/\n");
  expect(Atomics.load(unread, 0)).toBe(size);
});
