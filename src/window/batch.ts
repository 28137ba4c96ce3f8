// Batches of packed rows that have left the core, and the light view of one match.
import * as code from "#core/tables/codes.js";
import { SCHEMES } from "#core/tables/schemes.js";
import { FLAGS, type Flag, KINDS, type Kind, REASONS, type Reason } from "../core/names.ts";
import type { MessageDescription } from "../mail/describe.ts";
import type { Omission } from "../omission.ts";

/** Where a match stands in an archive, as records name it. @see docs/rules.md A10 */
export interface PlaceJson extends MessageDescription {
  part?: string;
  where: string;
  quote?: number;
}

/** The same, packed: `part` may be empty and `quote` 0, and all places of a message share what that says of itself. */
export interface Place {
  readonly message: MessageDescription;
  readonly part: string;
  readonly where: string;
  readonly quote: number;
}

/** The places of the matches of a batch: by row a number in the list, below 0 where there is none. */
export interface MatchPlaces {
  readonly of: Int32Array;
  readonly list: readonly Place[];
}

/** Matches as packed rows; owns its memory. Offsets in rows count from `base`, places from the start of `bytes`. */
export interface MatchBatch {
  /** RECORD_WORDS words a row (assembly/tables/codes.ts). */
  readonly rows: Int32Array<ArrayBuffer>;
  /** Normalized URLs and raw forms, well-formed UTF-8. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Absolute byte offset that RECORD_START and RECORD_END count from. */
  readonly base: number;
  readonly count: number;
  /** By row: the redirectors' URLs that `unwrap` took off (N10); absent where it took off none. */
  readonly chains?: ReadonlyMap<number, readonly string[]>;
  /** Of archives. */
  readonly places?: MatchPlaces | undefined;
  /** Records have no `raw`, which may hold a password. */
  readonly hidesRaw?: boolean | undefined;
}

/** Rejected candidates: REJECTED_WORDS words a row, and the text of each, unless it may hold a password. */
export interface RejectedBatch {
  readonly rows: Int32Array<ArrayBuffer>;
  readonly base: number;
  readonly count: number;
  /** The first bytes of each, ill-formed UTF-8 replaced. */
  readonly texts?: readonly string[] | undefined;
  /** What was left out of an archive, each before the row of that number. */
  readonly omitted?: readonly { readonly before: number; readonly omission: Omission }[];
}

/** What `Match.toJSON` gives. */
export interface MatchJson extends Partial<PlaceJson> {
  url: string | null;
  /** Absent where passwords are hidden (`userinfo: "redact"`), unless `fields` names it. */
  raw?: string;
  scheme: string;
  host: string | null;
  kind: Kind;
  flags: Flag[];
  reason?: Reason;
  source?: string;
  start: number;
  end: number;
  chain?: readonly string[];
}

const decoder = new TextDecoder();

/** One match: a view of a row; its fields are made when they are read. */
export class Match {
  readonly #batch: MatchBatch;
  readonly #index: number;
  readonly #at: number;
  /** Name of the input it was found in, if it has one. */
  readonly source: string | undefined;

  constructor(batch: MatchBatch, index: number, source?: string) {
    this.#batch = batch;
    this.#index = index;
    this.#at = index * code.RECORD_WORDS;
    this.source = source;
  }

  #word(field: number): number {
    return this.#batch.rows[this.#at + field] as number;
  }

  #text(place: number, length: number): string {
    const at = this.#word(place);
    return decoder.decode(this.#batch.bytes.subarray(at, at + this.#word(length)));
  }

  /** The normalized URL, or null where the profile refuses it. @see docs/rules.md N */
  get url(): string | null {
    return this.#word(code.RECORD_REASON) === code.REASON_NONE ? this.#text(code.RECORD_URL, code.RECORD_URL_LENGTH) : null;
  }

  /** As it stood in the text, without wrapper white space and reply marks, and with its password. */
  get raw(): string {
    return this.#text(code.RECORD_RAW, code.RECORD_RAW_LENGTH);
  }

  /** The scheme of `url`, or of `raw` where that is null, in lower case. */
  get scheme(): string {
    const row = SCHEMES[this.#word(code.RECORD_SCHEME)];
    if (this.#word(code.RECORD_SCHEME_LENGTH) === 0 && row !== undefined) return row.name;
    const isRefused = this.#word(code.RECORD_REASON) !== code.REASON_NONE;
    const at = this.#word(isRefused ? code.RECORD_RAW : code.RECORD_URL);
    return decoder.decode(this.#batch.bytes.subarray(at, at + this.#word(code.RECORD_SCHEME_LENGTH))).toLowerCase();
  }

  /** The host of `url` in normal form, or null where there is none. */
  get host(): string | null {
    return this.#word(code.RECORD_HOST_LENGTH) > 0 ? this.#text(code.RECORD_HOST, code.RECORD_HOST_LENGTH) : null;
  }

  /** How it stood in the text. @see docs/rules.md X7 */
  get kind(): Kind {
    return KINDS[this.#word(code.RECORD_KIND)] as Kind;
  }

  /** Security considerations that hold for it. @see docs/rules.md W */
  get flags(): Flag[] {
    const bits = this.#word(code.RECORD_FLAGS);
    return FLAGS.filter((_, bit) => (bits & (1 << bit)) !== 0);
  }

  /** Why `url` is null. @see docs/rules.md X12 */
  get reason(): Reason | undefined {
    return (REASONS[this.#word(code.RECORD_REASON)] || undefined) as Reason | undefined;
  }

  /** Byte offset of the first byte of the scheme in the source. */
  get start(): number {
    return this.#batch.base + this.#word(code.RECORD_START);
  }

  /** Byte offset behind the last byte. */
  get end(): number {
    return this.#batch.base + this.#word(code.RECORD_END);
  }

  /** Where it stands in an archive. @see docs/rules.md A10 */
  get place(): PlaceJson | undefined {
    const { places } = this.#batch;
    const place = places?.list[places.of[this.#index] as number];
    if (place === undefined) return undefined;
    const { message, part, where, quote } = place;
    return { ...message, ...(part === "" ? {} : { part }), where, ...(quote === 0 ? {} : { quote }) };
  }

  /** The redirectors' URLs that `unwrap` took off, the outermost first. @see docs/rules.md N10 */
  get chain(): readonly string[] | undefined {
    return this.#batch.chains?.get(this.#index);
  }

  /** The record as a plain object, fields in the order of the `ndjson` format. */
  toJSON(): MatchJson {
    const { url, raw, scheme, host, kind, flags, reason, source, start, end, place, chain } = this;
    return {
      url,
      ...(this.#batch.hidesRaw ? {} : { raw }),
      scheme,
      host,
      kind,
      flags,
      ...(reason === undefined ? {} : { reason }),
      ...(source === undefined ? {} : { source }),
      start,
      end,
      ...place,
      ...(chain === undefined ? {} : { chain }),
    };
  }

  /** What `console.log` of Node shows: the fields are getters, which it would leave out. */
  [Symbol.for("nodejs.util.inspect.custom")](): MatchJson {
    return this.toJSON();
  }
}
