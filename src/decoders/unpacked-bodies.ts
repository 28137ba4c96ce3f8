// Attachments that are compressed or archives (C178): the core reads each text in them as a source of its own.
import * as mail from "#core/layout/mail.js";
import type { Core } from "../core/core.ts";
import type { CodedBodies } from "./coded-bodies.ts";

/** FORMAT_* by the type of a text in an attachment. */
const FORMATS = {
  text: mail.FORMAT_TEXT,
  html: mail.FORMAT_HTML,
  xml: mail.FORMAT_XML,
  json: mail.FORMAT_JSON,
  eml: mail.FORMAT_EML,
  folded: mail.FORMAT_FOLDED,
  ldif: mail.FORMAT_LDIF,
} as const;

export interface MemberText {
  readonly text: Uint8Array;
  readonly type: keyof typeof FORMATS;
}

/** Returns an iterator that yields the texts of an attachment, at least one, and returns at its end whether they are complete. */
export type BodyUnpacker = (body: Uint8Array) => Iterator<MemberText, boolean>;

/** Returns an unpacker for an attachment of `bytes` bytes, and for the attachments of messages in it. All share its limits. */
export type BodyUnpackerFor = (bytes: number) => BodyUnpacker;

/** Unpacks the attachments of one source. An attachment may be in a message in another attachment. */
export class UnpackedBodies {
  readonly #open: Iterator<MemberText, boolean>[] = [];
  #next: { readonly text: Uint8Array; readonly isFirst: boolean } | undefined;

  /** Sets the callback `nextMember` of the core until the scan ends. */
  constructor(core: Core, coded: CodedBodies, unpackerFor: BodyUnpackerFor) {
    let unpack: BodyUnpacker | undefined;
    core.callbacks.nextMember = (isFirst) => {
      if (isFirst) {
        const body = coded.take();
        if (this.#open.length === 0 || unpack === undefined) unpack = unpackerFor(body.length);
        this.#open.push(unpack(body));
      }
      const next = this.#open.at(-1)?.next();
      if (next?.done === false) {
        this.#next = { text: next.value.text, isFirst };
        return FORMATS[next.value.type];
      }
      this.#open.pop();
      return next?.value === true ? mail.MEMBERS_READ : mail.MEMBERS_LOST;
    };
  }

  /** Takes the next text of an attachment, if there is one; `isFirst`: it is the first of its attachment. */
  take(): { readonly text: Uint8Array; readonly isFirst: boolean } | undefined {
    const next = this.#next;
    this.#next = undefined;
    return next;
  }
}
