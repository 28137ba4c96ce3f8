// Messages in a transfer encoding (C177), each inside the one before, and the texts of unpacked attachments (C178), one after the other.
// The core reads the decoded bytes of each as a source of its own. The bytes go after those of the enclosing source. If there is no room,
// they replace the enclosing bytes until the message ends. In this file such a text is called a message too.
import * as layout from "#core/layout/memory.js";
import type { Core } from "../core/core.ts";
import { LOOK_BACK, SourceBytes } from "../scan/source-decoder.ts";

interface EncodedMessage {
  readonly source: SourceBytes;
  /** The bytes that have not been given to the core. */
  rest: Uint8Array;
  /** The bytes of the enclosing sources that the message replaces, and their address; none if the message fits after them. */
  readonly replaced: Uint8Array;
  readonly address: number;
}

const LINE_FEED = 0x0a;
const NOTHING = new Uint8Array(0);

/** The messages that the core reads. */
export class EncodedMessages {
  readonly #core: Core;
  readonly #root: SourceBytes;
  readonly #open: EncodedMessage[] = [];

  constructor(core: Core, root: SourceBytes) {
    this.#core = core;
    this.#root = root;
  }

  get isOpen(): boolean {
    return this.#open.length > 0;
  }

  /** The source of the innermost message; if none is open, the source of the scan. */
  get source(): SourceBytes {
    return this.#open.at(-1)?.source ?? this.#root;
  }

  /** Whether the core has all bytes of the innermost message. */
  get isGiven(): boolean {
    return this.#open.at(-1)?.rest.length === 0;
  }

  /** Whether the innermost message is after the bytes of the enclosing source. Then the bytes of the message must not move over them. */
  get isAfter(): boolean {
    const message = this.#open.at(-1);
    return message !== undefined && message.replaced.length === 0;
  }

  /** Opens a message with the bytes `message`, inside the innermost one. */
  open(message: Uint8Array): void {
    const { end } = this.source;
    const after = end + LOOK_BACK;
    const hasRoom = after + message.length <= layout.SOURCE_INPUT + layout.SOURCE_BYTES;
    const lowest = this.#open.findLast(({ replaced }) => replaced.length > 0)?.source ?? this.#root;
    const address = lowest.start - LOOK_BACK;
    const opened = {
      replaced: hasRoom ? NOTHING : this.#core.bytes.slice(address, end),
      address,
      source: new SourceBytes(this.#core, 0, LINE_FEED, hasRoom ? after : undefined),
      rest: message,
    };
    this.#open.push(opened);
    this.#give(opened);
  }

  /** Gives the core the next bytes of the innermost message, or closes the message after its last byte. */
  advance(): void {
    const message = this.#open.at(-1);
    if (message === undefined) return;
    if (message.rest.length > 0) this.#give(message);
    else this.close();
  }

  /** Closes the innermost message, and restores the bytes that it replaced. */
  close(): void {
    const message = this.#open.pop();
    if (message !== undefined) this.#core.bytes.set(message.replaced, message.address);
  }

  #give(message: EncodedMessage): void {
    const space = message.source.space(message.rest.length);
    space.set(message.rest.subarray(0, space.length));
    message.source.advance(space.length);
    message.rest = message.rest.subarray(space.length);
  }
}
