// Finds the objects of JSON that are messages (A19): their spans in the source, and the values of the members that are fields.
// The core undoes escapes and finds the URLs; this file reads the same bytes a second time, only if the option asks for it.
import { firstIndex } from "../base/arrays.ts";
import { decodeUtf8 } from "../core/text.ts";
import type { JsonField, JsonMapping } from "../options/json-fields.ts";

/** Most bytes of an object that is a message: the scan waits for its end. */
const OBJECT_BYTES_MAX = 1 << 18;
/** Most nested containers. Deeper objects are no messages. */
const LEVELS_MAX = 64;
/** Most bytes that are kept of a name, a number or a literal. A name in one piece without escapes is compared without being kept. */
const NAME_BYTES_MAX = 1 << 10;
/** Most bytes of a value that count, as of a field of mail: every record of the message has them. (C320) */
const VALUE_BYTES_MAX = 1 << 11;
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
const SMALL_U = 0x75;
const CURLY_OPEN = 0x7b;
const CURLY_CLOSE = 0x7d;

/** Values of fields as text. If several members give one field, the first of the mapping whose value is not null counts. */
export type JsonValues = Partial<Record<JsonField, string>>;

export interface JsonMessage {
  /** Source offset of its `{`. */
  readonly start: number;
  /** Source offset after its `}`. */
  readonly end: number;
  readonly values: JsonValues;
  /** The innermost enclosing message; undefined if there is none. */
  around: JsonMessage | undefined;
  /** Number in its source, from 1 on; 0 while an enclosing object may still be a message. */
  number: number;
}

/** The names from an object to the value of a member of the mapping. */
interface Path {
  readonly names: readonly string[];
  /** Index of the member in the mapping. */
  readonly index: number;
}

/** An open container. */
interface Open {
  /** Source offset of its bracket. */
  readonly start: number;
  readonly isArray: boolean;
  /** By member of the mapping: the values in this object. */
  readonly values: (string | null | undefined)[];
  /** Name of the current member, if a path has it. */
  name: string | undefined;
}

/** A value of an object that the current member gives. */
interface Target {
  readonly values: (string | null | undefined)[];
  readonly index: number;
}

const NO_TARGETS: readonly Target[] = [];

/** Reads the bytes of a source, in pieces of any size. */
export class JsonObjects {
  readonly #mapping: JsonMapping;
  readonly #paths: readonly Path[];
  readonly #names: readonly { readonly text: string; readonly bytes: Uint8Array }[];
  /** Fields that an object must have to be a message: date, sender and type, if they are mapped. If none of them is, all mapped fields. */
  readonly #needed: readonly JsonField[];
  /** Source offsets of objects that would be messages, but have more than OBJECT_BYTES_MAX bytes. The caller removes them. */
  readonly tooLarge: number[] = [];
  /** Set by a caller that wants all messages: those that have numbers. The caller removes them. */
  given: JsonMessage[] | undefined;
  /** Source offset of the next byte. */
  position = 0;
  readonly #open: Open[] = [];
  /** Number of containers below the deepest of #open. */
  #deeper = 0;
  /** Index in #open of the first container that may still be a message: earlier ones are too large, or arrays. */
  #first = 0;
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
  #messages: JsonMessage[] = [];
  /** How many of #messages have numbers. */
  #numbered = 0;
  /** Number of all messages that have numbers, dropped ones too. */
  count = 0;

  constructor(mapping: JsonMapping) {
    this.#mapping = mapping;
    // Some logs have names with dots, such as `id.orig_h`.
    const spellings = (path: readonly string[]): (readonly string[])[] => (path.length > 1 ? [path, [path.join(".")]] : [path]);
    this.#paths = mapping.members.flatMap(({ path }, index) => spellings(path).map((names) => ({ names, index })));
    const names = new Set(this.#paths.flatMap((path) => path.names));
    this.#names = Array.from(names, (text) => ({ text, bytes: new TextEncoder().encode(text) }));
    const mapped = new Set(mapping.members.map(({ field }) => field));
    const main = (["date", "from", "type"] as const).filter((field) => mapped.has(field));
    this.#needed = main.length > 0 ? main : [...mapped];
  }

  /** Offset of the first open object that may still be a message; Infinity if there is none. */
  get openFrom(): number {
    return this.#open[this.#first]?.start ?? Number.POSITIVE_INFINITY;
  }

  /** Reads the next bytes of the source: [start, end) of `bytes`. */
  read(bytes: Uint8Array, start: number, end: number): void {
    const base = this.position - start;
    for (let p = start; p < end; ) {
      if (this.#isInString) p = this.#readString(bytes, p, end);
      else {
        this.position = base + p;
        this.#readStructure(bytes, p++);
      }
    }
    this.position = base + end;
    this.#giveUp();
    this.#number(this.openFrom);
  }

  /** Ends the source: objects without an end are no messages. */
  end(): void {
    this.#reset();
    this.#number(Number.POSITIVE_INFINITY);
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

  /** Moves #first past arrays, and past objects that have become too large. */
  #giveUp(): void {
    for (let open = this.#open[this.#first]; open !== undefined; open = this.#open[this.#first]) {
      if (!open.isArray && this.position - open.start <= OBJECT_BYTES_MAX) return;
      this.#first++;
    }
  }

  /** Numbers the messages that start before the source offset `offset`. */
  #number(offset: number): void {
    for (let next = this.#messages[this.#numbered]; next !== undefined && next.start < offset; next = this.#messages[this.#numbered]) {
      next.number = ++this.count;
      this.given?.push(next);
      this.#numbered++;
    }
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
    const isWhole = p < end && bytes[p] !== LF;
    if (this.#keptMax > 0) {
      if (isWhole) this.#endString(bytes, start, p);
      else this.#keep(bytes, start, p);
    }
    if (isWhole) this.#isInString = false;
    else if (p < end) this.#reset();
    return Math.min(p + 1, end);
  }

  /** Ends a string that is kept; [start, end) are its last bytes. */
  #endString(bytes: Uint8Array, start: number, end: number): void {
    const isPlain = this.#isName && this.#keptBytes === 0 && !hasBackslash(bytes, start, end);
    if (!isPlain) this.#keep(bytes, start, end);
    if (!this.#isName) this.#setValue(stringOf(this.#takeKept()));
    else this.#nameMember(isPlain ? this.#findName(bytes, start, end) : (stringOf(this.#takeKept()) ?? undefined));
    this.#keptMax = 0;
  }

  /** Keeps [start, end) of `bytes`, up to #keptMax bytes in all. */
  #keep(bytes: Uint8Array, start: number, end: number): void {
    const count = Math.min(end - start, this.#keptMax - this.#keptBytes);
    for (let at = 0; at < count; at++) this.#kept[this.#keptBytes++] = bytes[start + at];
  }

  /** Returns the text of the token, and begins the next one. */
  #takeKept(): string {
    const text = decodeUtf8(this.#kept, 0, endOfValue(this.#kept, this.#keptBytes));
    this.#keptBytes = 0;
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
    else if (c === COMMA) this.#endValue();
    else if (c > SPACE && this.#targets.length > 0) {
      this.#keptMax = NAME_BYTES_MAX;
      this.#keep(bytes, p, p + 1);
    }
  }

  /** Returns the name in [start, end) if the mapping has it. Most names are not in it, so they need not become strings. */
  #findName(bytes: Uint8Array, start: number, end: number): string | undefined {
    for (const { text, bytes: name } of this.#names) {
      let at = name.length === end - start ? 0 : -1;
      while (at >= 0 && at < name.length && bytes[start + at] === name[at]) at++;
      if (at === name.length) return text;
    }
    return undefined;
  }

  /** Names the current member, if a path has its name, and finds the fields that its value is. */
  #nameMember(name: string | undefined): void {
    const open = this.#open;
    const depth = open.length;
    this.#endMember();
    if (name === undefined || depth === 0) return;
    open[depth - 1].name = name;
    for (const { names, index } of this.#paths) {
      const first = depth - names.length;
      if (first >= 0 && names.at(-1) === name && names.every((part, at) => open[first + at].name === part)) {
        this.#targets = [...this.#targets, { values: open[first].values, index }];
      }
    }
  }

  /** Sets the value of the current member, unless an earlier member at its path has a value that is not null. */
  #setValue(value: string | null): void {
    for (const { values, index } of this.#targets) values[index] ??= value;
    this.#endMember();
  }

  #endMember(): void {
    this.#targets = NO_TARGETS;
    const top = this.#open.at(-1);
    if (top !== undefined) top.name = undefined;
  }

  /** Ends a value, even one that is missing or malformed. */
  #endValue(): void {
    if (this.#keptMax > 0) {
      this.#keptMax = 0;
      const text = this.#takeKept();
      this.#setValue(text === "null" || text === "" ? null : text);
    }
    this.#endMember();
    this.#isName = this.#deeper === 0 && this.#open.at(-1)?.isArray === false;
  }

  #enter(isArray: boolean): void {
    // A container cannot be a name: the JSON is malformed, and the enclosing objects have no end.
    if (this.#isName) this.#reset();
    for (const { values, index } of this.#targets) values[index] ??= null;
    this.#targets = NO_TARGETS;
    const isDeeper = this.#open.length === LEVELS_MAX;
    if (isDeeper) this.#deeper++;
    else this.#open.push({ start: this.position, isArray, values: [], name: undefined });
    this.#isName = !isArray && !isDeeper;
  }

  #leave(isArray: boolean): void {
    this.#endValue();
    if (this.#deeper > 0) this.#deeper--;
    else {
      const left = this.#open.pop();
      if (left !== undefined && left.isArray !== isArray) this.#reset();
      else if (left?.isArray === false) this.#endObject(left.start, left.values);
      this.#endMember();
      this.#first = Math.min(this.#first, this.#open.length);
    }
    this.#isName = false;
  }

  #endObject(start: number, found: readonly (string | null | undefined)[]): void {
    const values: JsonValues = {};
    const present = new Set<JsonField>();
    this.#mapping.members.forEach(({ field }, index) => {
      const value = found[index];
      if (value !== undefined) present.add(field);
      if (typeof value === "string") values[field] ??= value;
    });
    if (!this.#needed.every((field) => present.has(field))) return;
    const end = this.position + 1;
    if (end - start > OBJECT_BYTES_MAX) this.tooLarge.push(start);
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
    [this.#deeper, this.#first, this.#keptMax] = [0, 0, 0];
    this.#open.length = 0;
    this.#targets = NO_TARGETS;
    this.#keptBytes = 0;
  }
}

/** Returns the end of a value that is cut after VALUE_BYTES_MAX bytes, or before the escape or the character that this would halve. */
function endOfValue(bytes: Uint8Array, length: number): number {
  if (length <= VALUE_BYTES_MAX) return length;
  let end = 0;
  for (let next = 0; next <= VALUE_BYTES_MAX; ) {
    end = next;
    next += bytes[next] !== BACKSLASH ? 1 : bytes[next + 1] === SMALL_U ? 6 : 2;
  }
  while (end > 0 && (bytes[end] & 0xc0) === 0x80) end--;
  return end;
}

function hasBackslash(bytes: Uint8Array, start: number, end: number): boolean {
  for (let at = start; at < end; at++) if (bytes[at] === BACKSLASH) return true;
  return false;
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
