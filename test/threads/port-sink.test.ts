// The sink of a worker: what it posts to the main thread.
import type { MessagePort } from "node:worker_threads";
import { expect, it } from "vitest";
import { PortSink } from "../../src/threads/port-sink.ts";
import type { ResultMessage } from "../../src/threads/task.ts";
import { taken } from "../../src/threads/worker-pool.ts";

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

it("a result that has to wait sends the bytes before it: nobody could take them", () => {
  const posted: ResultMessage[] = [];
  const take = (message: ResultMessage): void => {
    posted.push(message);
    taken(message);
  };
  const sink = new PortSink({ postMessage: take } as unknown as MessagePort, new Int32Array(new SharedArrayBuffer(4)));
  sink.begin(1);
  sink.write({ kind: "bytes", bytes: Buffer.from("http://a.example/\n"), count: 1 });
  sink.write({ kind: "groups", bytes: new Uint8Array(8 << 20), count: 0 });
  expect(posted.map(({ result }) => result.kind)).toEqual(["bytes", "groups"]);
});
