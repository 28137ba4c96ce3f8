// A Redis of a test's own: on a socket in a folder, with all that it has said to have kept on the disk.
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { pathOf } from "../threads/folder.ts";

/** The program of Valkey or Redis; undefined: neither is installed. */
export const SERVER = ["valkey-server", "redis-server"].find((name) => spawnSync(name, ["--version"]).status === 0);

/** A server that can be killed and started again. */
export class Redis {
  readonly #folder: string;
  #process: ChildProcess | undefined;

  constructor() {
    this.#folder = mkdtempSync(pathOf("redis-"));
    mkdirSync(this.#folder, { recursive: true });
  }

  /** What BullMQ connects to. */
  get connection(): { readonly path: string } {
    return { path: join(this.#folder, "socket") };
  }

  /** Starts it, with what it had; resolves when it takes connections. */
  async start(): Promise<void> {
    const kept = ["--appendonly", "yes", "--appendfsync", "always", "--save", ""];
    const args = ["--port", "0", "--unixsocket", this.connection.path, "--dir", this.#folder, ...kept];
    this.#process = spawn(SERVER as string, args, { stdio: ["ignore", "pipe", "inherit"] });
    for await (const line of createInterface({ input: this.#process.stdout as NodeJS.ReadableStream })) {
      if (line.includes("eady to accept connections")) break;
    }
    this.#process.stdout?.resume();
  }

  /** Ends it at once. */
  async kill(): Promise<void> {
    if (this.#process === undefined) return;
    const exited = once(this.#process, "exit");
    this.#process.kill("SIGKILL");
    await exited;
    this.#process = undefined;
  }
}
