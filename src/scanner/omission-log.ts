// Omissions of an archive by the core (A15). An omission waits for the header of its message, which may hold the message ID.
import { DECODED_OMISSIONS } from "#core/layout/decoded.js";
import * as mail from "#core/layout/mail.js";
import { OMISSION_REGION } from "#core/layout/memory.js";
import { ARCHIVE_REASONS, countOmission, type Omission, type OmissionReason } from "../base/omission.ts";
import type { Core } from "../core/core.ts";
import { decodeLatin1 } from "../core/text.ts";
import type { MessageLog } from "./message-log.ts";
import type { ScanCounts } from "./scan.ts";

interface OpenOmission {
  readonly reason: OmissionReason;
  readonly start: number;
  readonly text?: string;
  /** Number of its message; 0: it belongs to none. */
  readonly message: number;
}

/** Counts omissions, and lists them in the order of the source. */
export class OmissionLog {
  readonly #counts: ScanCounts;
  readonly #log: MessageLog | undefined;
  readonly #isListed: boolean;
  #open: OpenOmission[] = [];
  #listed: Omission[] = [];

  /** Adds to `counts`; takes message IDs from `log`. */
  constructor(counts: ScanCounts, log: MessageLog | undefined, isListed: boolean) {
    this.#counts = counts;
    this.#log = log;
    this.#isListed = isListed;
  }

  /** Takes the rows of the core. `openMessage`: the number of the message whose header the core still reads, or 0. */
  take({ words, bytes }: Core, sourceBase: number, openMessage: number): void {
    const count = words[DECODED_OMISSIONS >> 2];
    for (let row = 0; row < count; row++) {
      const at = OMISSION_REGION + row * mail.OMISSION_ROW_BYTES;
      const word = (field: number): number => words[(at + field) >> 2];
      const reason = ARCHIVE_REASONS[word(mail.OMISSION_COUNTER) - mail.COUNT_DEEP_MULTIPART] as OmissionReason;
      const text = word(mail.OMISSION_TEXT);
      const named = text === 0 ? {} : { text: decodeLatin1(bytes, text, bytes.indexOf(0, text)) };
      this.#open.push({ reason, start: sourceBase + word(mail.OMISSION_SOURCE), message: word(mail.OMISSION_MESSAGE), ...named });
    }
    if (this.#open.length === 0) return;
    const waiting = openMessage === 0 ? -1 : this.#open.findIndex(({ message }) => message === openMessage);
    for (const { message, ...omission } of this.#open.splice(0, waiting < 0 ? this.#open.length : waiting)) {
      const id = this.#log?.messageIdOf(message);
      const described = id === undefined ? omission : { ...omission, message_id: id };
      countOmission(this.#counts.omitted, described);
      if (this.#isListed) this.#listed.push(described);
    }
  }

  /** Returns the listed omissions that have not been taken. */
  takeListed(): Omission[] {
    return this.#listed.splice(0);
  }
}
