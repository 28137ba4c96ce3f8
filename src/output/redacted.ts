// What leaves a scan whose passwords are to be hidden (N10): what is not made of URLs holds none either.
import type { MessageDescription } from "../mail/describe.ts";
import type { Omission } from "../omission.ts";
import type { ScanSettings } from "../options.ts";
import type { MatchBatch, MatchLocations, RejectedBatch } from "../scanner/batch.ts";
import { withoutPasswords } from "../url/passwords.ts";

/** Takes passwords off batches that leave a scan. */
export class Redactor {
  readonly #hidesRaw: boolean;
  /** Writers know a message by its object: each has one only. */
  readonly #messages = new WeakMap<MessageDescription, MessageDescription>();

  constructor({ fields }: Pick<ScanSettings, "fields">) {
    this.#hidesRaw = fields?.includes("raw") !== true;
  }

  /** The batch with URLs that are hidden already: without `raw`, and without passwords in what messages say of themselves. */
  matches(batch: MatchBatch): MatchBatch {
    const { locations } = batch;
    return { ...batch, hidesRaw: this.#hidesRaw, ...(locations === undefined ? {} : { locations: this.#locations(locations) }) };
  }

  /** The batch without the texts of what was refused: nobody knows where in such a text a password begins. */
  rejected(batch: RejectedBatch): RejectedBatch {
    const omitted = batch.omitted?.map(({ before, omission }) => ({ before, omission: omissionWithoutPasswords(omission) }));
    return { ...batch, texts: undefined, ...(omitted === undefined ? {} : { omitted }) };
  }

  #locations({ of, list }: MatchLocations): MatchLocations {
    return { of, list: list.map((place) => ({ ...place, message: this.#message(place.message) })) };
  }

  #message(message: MessageDescription): MessageDescription {
    const known = this.#messages.get(message);
    if (known !== undefined) return known;
    const entries = Object.entries(message).map(([name, text]: [string, string]) => [name, withoutPasswords(text, "redact")]);
    const hidden: MessageDescription = Object.fromEntries(entries);
    this.#messages.set(message, hidden);
    return hidden;
  }
}

/** Returns what was left out with a Message-ID as records have it. */
export function omissionWithoutPasswords(omission: Omission): Omission {
  const { message_id } = omission;
  return message_id === undefined ? omission : { ...omission, message_id: withoutPasswords(message_id, "redact") };
}
