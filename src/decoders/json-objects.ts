// Finds the objects of JSON that are messages (A19): their spans in the source, and the values of the members that are fields.
// The core undoes escapes and finds the URLs; this file reads the same bytes a second time, only if the option asks for it.
import { firstIndex } from "../base/arrays.ts";
import { decodeLatin1, decodeUtf8 } from "../core/text.ts";
import type { JsonField, JsonMapping } from "../options/json-fields.ts";

/** Most bytes of an object that is a message: the scan waits for its end. */
const OBJECT_BYTES_MAX = 1 << 18;
/** Most nested containers. Deeper objects are no messages. */
const LEVELS_MAX = 64;
/** Most bytes that are kept of a name, a number or a literal. */
const NAME_BYTES_MAX = 1 << 10;
/** Most bytes of a value that count, as of a field of mail: every record of the message has them. (C320) */
const VALUE_BYTES_MAX = 1 << 11;
/** The escapes and characters at the start of a text that are whole. */
const WHOLE = /^(?:[^\\]|\\u.{4}|\\[^u])*/s;
/** Fewest messages that are dropped at once, because dropping moves all others. */
const DROPPED_AT_ONCE = 256;

const LF = 0x0a;
const SPACE = 0x20;
const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const SQUARE_OPEN = 0x5b;
const BACKSLASH = 0x5c;
const SQUARE_CLOSE = 0x5d;
const CURLY_OPEN = 0x7b;
const CURLY_CLOSE = 0x7d;

/** Values of fields as text. If several members give one field, the first of the mapping whose value is not null counts. */
export type JsonValues = Partial<Record<JsonField, string>>;

export interface JsonMessage {
  /** Source offsets of its `{`, and after its `}`. */
  readonly start: number;
  readonly end: number;
  readonly values: JsonValues;
  /** The innermost enclosing message; undefined if there is none. */
  around: JsonMessage | undefined;
  /** Number in its source, from 1 on; 0 while an enclosing object may still be a message. */
  number: number;
}

/** An open container. */
interface Open {
  /** Source offset of its bracket. */
  readonly start: number;
  readonly isArray: boolean;
  /** By member of the mapping: the values in this object. */
  readonly values: (string | null | undefined)[];
  /** Name of the current member. */
  name: string | undefined;
}

/** Values of objects that the current member gives, each by the index of the member in the mapping. */
type Targets = readonly { readonly values: Open["values"]; readonly index: number }[];

const NO_TARGETS: Targets = [];

/** Reads the bytes of a source, in pieces of any size. */
export class JsonObjects {
  readonly #mapping: JsonMapping;
  /** The names from an object to the value of a member of the mapping, and the index of that member. */
  readonly #paths: readonly { readonly names: readonly string[]; readonly index: number }[];
  /** Bytes of the names in #paths. */
  readonly #nameLengths: ReadonlySet<number>;
  /** Fields that an object must have to be a message: date, sender and type, if they are mapped. If none of them is, all mapped fields. */
  readonly #needed: readonly JsonField[];
  /** Source offset of the next byte. */
  #position = 0;
  readonly #open: Open[] = [];
  /** Number of containers below the deepest of #open. */
  #deeper = 0;
  #isInString = false;
  #isEscaped = false;
  /** Whether the next string is the name of a member. */
  #isName = false;
  /** The fields that the value of the current member is, in enclosing objects. */
  #targets = NO_TARGETS;
  /** The bytes of the current token, a name or a value, if it is kept. */
  readonly #kept = new Uint8Array(VALUE_BYTES_MAX + 1);
  #keptBytes = 0;
  /** Most bytes of the token that are kept; 0: none. */
  #keptMax = 0;
  /** In the order of their starts. */
  readonly #messages: JsonMessage[] = [];
  /** How many of #messages have numbers. */
  #numbered = 0;
  /** Number of all messages that have numbers, dropped ones too. */
  #count = 0;
  readonly #reportTooLarge: (start: number) => void;

  /** `reportTooLarge` takes the source offset of an object that would be a message, but has more than OBJECT_BYTES_MAX bytes. */
  constructor(mapping: JsonMapping, reportTooLarge: (start: number) => void) {
    this.#mapping = mapping;
    this.#reportTooLarge = reportTooLarge;
    // Some logs have names with dots, such as `id.orig_h`.
    const spellings = (path: readonly string[]): (readonly string[])[] => (path.length > 1 ? [path, [path.join(".")]] : [path]);
    this.#paths = mapping.members.flatMap(({ path }, index) => spellings(path).map((names) => ({ names, index })));
    this.#nameLengths = new Set(this.#paths.flatMap(({ names }) => names.map((name) => new TextEncoder().encode(name).length)));
    const mapped = new Set(mapping.members.map(({ field }) => field));
    const main = (["date", "from", "type"] as const).filter((field) => mapped.has(field));
    this.#needed = main.length > 0 ? main : [...mapped];
  }

  /** Offset of the first open object that may still be a message; Infinity if there is none. */
  get openFrom(): number {
    const mayBe = ({ isArray, start }: Open): boolean => !isArray && this.#position - start <= OBJECT_BYTES_MAX;
    return this.#open.find(mayBe)?.start ?? Number.POSITIVE_INFINITY;
  }

  /**
   * Reads the bytes that have come, up to the address `end`. Address 0 is the source offset `base`. `final`: no more come, and objects
   * without an end are no messages. Returns the messages that now have numbers.
   */
  read(bytes: Uint8Array, base: number, end: number, final: boolean): JsonMessage[] {
    for (let p = this.#position - base; p < end; ) {
      if (this.#isInString) p = this.#readString(bytes, p, end);
      else {
        this.#position = base + p;
        this.#readStructure(bytes, p++);
      }
    }
    this.#position = base + end;
    if (final) this.#reset();
    const closed = this.openFrom;
    const next = firstIndex(this.#messages.length, (index) => this.#messages[index].start >= closed);
    const given = this.#messages.slice(this.#numbered, next);
    for (const message of given) message.number = ++this.#count;
    this.#numbered += given.length;
    return given;
  }

  /** Returns the innermost message that holds the byte at the source offset `offset`, or undefined. */
  at(offset: number): JsonMessage | undefined {
    const next = firstIndex(this.#messages.length, (index) => this.#messages[index].start > offset);
    let found: JsonMessage | undefined = this.#messages[next - 1];
    while (found !== undefined && found.end <= offset) found = found.around;
    return found;
  }

  /** Forgets the first messages if they end at the source offset `offset` or before it. */
  drop(offset: number): void {
    let count = 0;
    while (count < this.#numbered && this.#messages[count].end <= offset) count++;
    if (count < DROPPED_AT_ONCE) return;
    this.#messages.splice(0, count);
    this.#numbered -= count;
  }

  /** Reads a string up to its end, to `end`, or to the end of its line, which ends all objects (C113). Returns the next address. */
  #readString(bytes: Uint8Array, start: number, end: number): number {
    let p = start;
    let isEscaped = this.#isEscaped;
    for (; p < end; p++) {
      const c = bytes[p];
      if (c === LF || (c === QUOTE && !isEscaped)) break;
      isEscaped = c === BACKSLASH && !isEscaped;
    }
    this.#isEscaped = isEscaped;
    if (this.#keptMax > 0) this.#keep(bytes, start, p);
    if (p === end) return end;
    if (bytes[p] === LF) this.#reset();
    else this.#endString();
    return p + 1;
  }

  #endString(): void {
    this.#isInString = false;
    if (this.#keptMax === 0) return;
    if (this.#isName) this.#nameMember(this.#takeName());
    else {
      this.#setValue(stringOf(this.#takeKept()));
      this.#endMember();
      this.#isName = false;
    }
  }

  /** Ends the token, and returns the name that it is. Undefined if no path has it: most names need not become strings. */
  #takeName(): string | undefined {
    let at = 0;
    while (at < this.#keptBytes && this.#kept[at] !== BACKSLASH) at++;
    if (at < this.#keptBytes || this.#nameLengths.has(this.#keptBytes)) return stringOf(this.#takeKept()) ?? undefined;
    this.#keptBytes = 0;
    this.#keptMax = 0;
    return undefined;
  }

  /** Keeps [start, end) of `bytes`, up to #keptMax bytes in all. */
  #keep(bytes: Uint8Array, start: number, end: number): void {
    const count = Math.min(end - start, this.#keptMax - this.#keptBytes);
    for (let at = 0; at < count; at++) this.#kept[this.#keptBytes++] = bytes[start + at];
  }

  /** Ends the token, and returns its text. */
  #takeKept(): string {
    const text = decodeUtf8(this.#kept, 0, endOfValue(this.#kept, this.#keptBytes));
    [this.#keptBytes, this.#keptMax] = [0, 0];
    return text;
  }

  #readStructure(bytes: Uint8Array, p: number): void {
    const c = bytes[p];
    if (c === QUOTE) {
      this.#isInString = true;
      this.#keptMax = this.#isName ? NAME_BYTES_MAX : this.#targets.length > 0 ? VALUE_BYTES_MAX + 1 : 0;
    } else if (c === CURLY_OPEN || c === SQUARE_OPEN) this.#enter(c === SQUARE_OPEN);
    else if (c === CURLY_CLOSE || c === SQUARE_CLOSE) this.#leave(c === SQUARE_CLOSE);
    else if (c === COLON) this.#isName = false;
    else if (c === COMMA) this.#endMember();
    else if (c > SPACE && this.#targets.length > 0) {
      this.#keptMax = NAME_BYTES_MAX;
      this.#keep(bytes, p, p + 1);
    }
  }

  /** Names the current member, and finds the fields that its value is. */
  #nameMember(name: string | undefined): void {
    const open = this.#open;
    open[open.length - 1].name = name;
    this.#targets = NO_TARGETS;
    for (const { names, index } of this.#paths) {
      const first = open.length - names.length;
      if (first >= 0 && names.every((part, at) => open[first + at].name === part)) {
        this.#targets = [...this.#targets, { values: open[first].values, index }];
      }
    }
  }

  /** Sets the value of the current member, unless an earlier member at its path has a value that is not null. */
  #setValue(value: string | null): void {
    for (const { values, index } of this.#targets) values[index] ??= value;
    this.#targets = NO_TARGETS;
  }

  /** Ends a member, even one whose value is missing or malformed. */
  #endMember(): void {
    if (this.#keptMax > 0) {
      const text = this.#takeKept();
      this.#setValue(text === "null" ? null : text);
    }
    this.#targets = NO_TARGETS;
    const top = this.#open.at(-1);
    if (top !== undefined) top.name = undefined;
    this.#isName = this.#deeper === 0 && top?.isArray === false;
  }

  #enter(isArray: boolean): void {
    // A container cannot be a name: the JSON is malformed, and the enclosing objects have no end.
    if (this.#isName) this.#reset();
    this.#setValue(null);
    const isDeeper = this.#open.length === LEVELS_MAX;
    if (isDeeper) this.#deeper++;
    else this.#open.push({ start: this.#position, isArray, values: [], name: undefined });
    this.#isName = !isArray && !isDeeper;
  }

  #leave(isArray: boolean): void {
    this.#endMember();
    if (this.#deeper > 0) this.#deeper--;
    else {
      const left = this.#open.pop();
      if (left !== undefined && left.isArray !== isArray) this.#reset();
      else if (left?.isArray === false) this.#endObject(left);
      this.#endMember();
    }
    this.#isName = false;
  }

  #endObject({ start, values: found }: Open): void {
    const values: JsonValues = {};
    const present = new Set<JsonField>();
    this.#mapping.members.forEach(({ field }, index) => {
      const value = found[index];
      if (value !== undefined) present.add(field);
      if (typeof value === "string") values[field] ??= value;
    });
    if (!this.#needed.every((field) => present.has(field))) return;
    const end = this.#position + 1;
    if (end - start > OBJECT_BYTES_MAX) this.#reportTooLarge(start);
    else this.#add({ start, end, values, around: undefined, number: 0 });
  }

  /** Adds a message before the messages inside it, and makes it their enclosing message. */
  #add(message: JsonMessage): void {
    let at = this.#messages.length;
    for (; at > 0 && this.#messages[at - 1].start > message.start; at--) this.#messages[at - 1].around ??= message;
    this.#messages.splice(at, 0, message);
  }

  #reset(): void {
    [this.#isInString, this.#isEscaped, this.#isName] = [false, false, false];
    [this.#deeper, this.#keptBytes, this.#keptMax] = [0, 0, 0];
    this.#open.length = 0;
    this.#targets = NO_TARGETS;
  }
}

/** Returns the end of a value that is cut after VALUE_BYTES_MAX bytes, or before the escape or the character that this would halve. */
function endOfValue(bytes: Uint8Array, length: number): number {
  if (length <= VALUE_BYTES_MAX) return length;
  let end = WHOLE.exec(decodeLatin1(bytes, 0, VALUE_BYTES_MAX))?.[0].length ?? 0;
  while (end > 0 && (bytes[end] & 0xc0) === 0x80) end--;
  return end;
}

/** Returns the characters of a string of JSON, given without quotation marks; null if it has escapes and is not valid JSON. */
function stringOf(text: string): string | null {
  if (!text.includes("\\")) return text;
  try {
    return String(JSON.parse(`"${text.replaceAll("\t", "\\t")}"`));
  } catch {
    return null;
  }
}
