// A proxy on this machine that makes the faults of networks: each request takes the next fault of a list.
import { createServer, type IncomingHttpHeaders, type IncomingMessage, request, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Patience } from "../../../src/cluster/remote/tries.ts";

/** What goes wrong with one request; empty: nothing. */
export interface Fault {
  /** The answer is this status, without the server having been asked. */
  readonly status?: number;
  /** The server does what it is asked for, and its answer does not arrive. */
  readonly isLost?: boolean;
  /** Header fields in the place of those of the server; undefined takes one away. */
  readonly headers?: Record<string, string | undefined>;
  /** The connection is cut after so many bytes of the answer. */
  readonly cutAfter?: number;
  /** Nothing comes after so many bytes of the answer, and the connection stays. */
  readonly stallAfter?: number;
  /** Bytes of the answer that are sent at a time. */
  readonly pieceBytes?: number;
  /** Header fields of the request that the server does not see. */
  readonly hidden?: readonly string[];
}

/** A request that came. */
export interface Asked {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** Bytes of the answer's body that were handed on. */
  sent: number;
}

/** The way to a server: a socket in a folder, or a port of this machine. */
export type Upstream = { readonly socketPath: string } | { readonly port: number };

/** Milliseconds that the tests say for a stall: no clock counts them. */
const STALL_MS = 7;

export class FaultyProxy {
  readonly asked: Asked[] = [];
  faults: Fault[] = [];
  /** Connections that were made. */
  connections = 0;
  /** Milliseconds that were waited between tries. */
  waited: number[] = [];
  readonly #server: Server;
  readonly #upstream: Upstream;
  /** A connection has stalled, and nobody waits for it yet. */
  #isStalled = false;
  readonly #onStall = new Set<() => void>();

  private constructor(upstream: Upstream) {
    this.#upstream = upstream;
    this.#server = createServer((incoming, answer) => this.#serve(incoming, answer));
    this.#server.on("connection", () => this.connections++);
  }

  static async open(upstream: Upstream): Promise<FaultyProxy> {
    const proxy = new FaultyProxy(upstream);
    await new Promise<void>((resolve) => proxy.#server.listen(0, "127.0.0.1", resolve));
    return proxy;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Patience without a clock: pauses are none, and a connection has stalled when the proxy says so. */
  patience(retries = 3): Patience {
    return { retries, stallMs: STALL_MS, random: () => 1, wait: (milliseconds, signal) => this.#wait(milliseconds, signal) };
  }

  /** Forgets what was asked; the next requests take `faults`, and those after them are served well. */
  expect(...faults: Fault[]): void {
    this.faults = faults;
    this.connections = 0;
    this.asked.length = 0;
    this.waited = [];
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #wait(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
    if (milliseconds !== STALL_MS) {
      this.waited.push(milliseconds);
      return Promise.resolve();
    }
    return new Promise((resolve) => {
      const end = (): void => {
        this.#onStall.delete(end);
        resolve();
      };
      signal?.addEventListener("abort", end, { once: true });
      if (this.#isStalled) end();
      else this.#onStall.add(end);
      this.#isStalled = false;
    });
  }

  #serve(incoming: IncomingMessage, answer: ServerResponse): void {
    const fault = this.faults.shift() ?? {};
    const asked: Asked = { method: incoming.method ?? "", path: incoming.url ?? "", headers: incoming.headers, sent: 0 };
    this.asked.push(asked);
    if (fault.status !== undefined) {
      incoming.resume();
      answer.writeHead(fault.status, definedOf(fault.headers ?? {})).end();
      return;
    }
    const headers = { ...incoming.headers };
    for (const name of fault.hidden ?? []) delete headers[name];
    const onward = request({ ...this.#upstream, method: incoming.method, path: incoming.url, headers }, async (given) => {
      if (fault.isLost === true) {
        answer.destroy();
        return;
      }
      answer.writeHead(given.statusCode ?? 500, definedOf({ ...(given.headers as Record<string, string>), ...fault.headers }));
      answer.flushHeaders();
      try {
        await this.#send(given, answer, fault, asked);
      } catch {
        answer.destroy();
      }
    });
    onward.on("error", () => answer.destroy());
    answer.on("close", () => onward.destroy());
    incoming.pipe(onward);
  }

  async #send(given: IncomingMessage, answer: ServerResponse, { cutAfter, stallAfter, pieceBytes }: Fault, asked: Asked): Promise<void> {
    const most = cutAfter ?? stallAfter ?? Number.POSITIVE_INFINITY;
    const write = (bytes: Uint8Array): Promise<unknown> => new Promise((resolve) => answer.write(bytes, resolve));
    if (most > 0) {
      for await (const chunk of given) {
        const bytes = (chunk as Buffer).subarray(0, most - asked.sent);
        const step = pieceBytes ?? bytes.length;
        for (let from = 0; from < bytes.length; from += step) await write(bytes.subarray(from, from + step));
        asked.sent += bytes.length;
        if (asked.sent >= most || answer.destroyed) break;
      }
    }
    if (cutAfter !== undefined) answer.destroy();
    else if (stallAfter === undefined) answer.end();
    else {
      this.#isStalled = this.#onStall.size === 0;
      for (const resume of [...this.#onStall]) resume();
    }
  }
}

function definedOf(headers: Record<string, string | undefined>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter((entry): entry is [string, string] => entry[1] !== undefined));
}
