// Messages in a transfer encoding (C177), each in the one before. The core has given the bytes of one, and reads them as a source of its
// own in the place of the source around it.
import type { Core } from "../core/core.ts";
import { SourceBytes } from "./source-bytes.ts";

interface EncodedMessage {
  readonly source: SourceBytes;
  /** The bytes that have not been given to the core. */
  rest: Uint8Array;
  /** The source around it, and its bytes that wait. */
  readonly around: SourceBytes;
  readonly waiting: Uint8Array;
}

const LINE_FEED = 0x0a;

/** The messages that the core reads. */
export class EncodedMessages {
  readonly #core: Core;
  readonly #open: EncodedMessage[] = [];
  /** Offset in the source of address 0 when the outermost was opened: its matches are located by the addresses of that moment. */
  base = 0;

  constructor(core: Core) {
    this.#core = core;
  }

  /** The innermost, or undefined. */
  get source(): SourceBytes | undefined {
    return this.#open.at(-1)?.source;
  }

  /** Whether the core has all bytes of the innermost. */
  get isGiven(): boolean {
    return this.#open.at(-1)?.rest.length === 0;
  }

  /** Opens one with the bytes `message`; `around` holds the bytes after its body. */
  open(message: Uint8Array, around: SourceBytes): void {
    const waiting = around.copy();
    const opened = { source: new SourceBytes(this.#core, 0, LINE_FEED), rest: message, around, waiting };
    this.#open.push(opened);
    this.#give(opened);
  }

  /** The core has read what it has of the innermost: gives it more, or closes the innermost after its last byte. */
  goOn(): void {
    const message = this.#open.at(-1);
    if (message === undefined) return;
    if (message.rest.length > 0) {
      this.#give(message);
      return;
    }
    this.#open.pop();
    message.around.restore(message.waiting);
  }

  #give(message: EncodedMessage): void {
    const space = message.source.space(message.rest.length);
    space.set(message.rest.subarray(0, space.length));
    message.source.advance(space.length);
    message.rest = message.rest.subarray(space.length);
  }
}
