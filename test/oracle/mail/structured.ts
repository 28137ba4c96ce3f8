/**
 * The bodies of structured fields (A4): words, comments, parameters (RFC 2045 5.1, RFC 2231).
 */

/** A parameter as it stands: its name in lower case, its value without quotation marks. */
interface Parameter {
  name: string;
  written: string;
  isQuoted: boolean;
}

/** What the body of a field says: the words at its start, with a `/` between them or not, and its parameters. */
export interface Structured {
  word: string;
  /** The word after a `/`, or an empty string. */
  second: string;
  parameters: readonly Parameter[];
}

const WHITE = /[\t-\r ]/;
const WORD_END = /[\t-\r ;,/=("]/;
/** A4: most sections of a parameter that are read. */
const SECTIONS_MAX = 10;

/** Reads the body of one field from its start to its end. */
class Reader {
  at = 0;
  readonly #text: string;
  #hasOpenComment = false;

  constructor(text: string) {
    this.#text = text;
  }

  next(): string {
    return this.#text.charAt(this.at);
  }

  get isOver(): boolean {
    return this.at >= this.#text.length;
  }

  /** A comment, with those in it; one that nothing closes is none, nor is any after it. */
  skipComment(): boolean {
    if (this.next() !== "(" || this.#hasOpenComment) {
      return false;
    }
    let depth = 0;
    for (let at = this.at; at < this.#text.length; at++) {
      const byte = this.#text.charAt(at);
      if (byte === "\\") {
        at++;
      }
      depth += byte === "(" ? 1 : byte === ")" ? -1 : 0;
      if (depth === 0) {
        this.at = at + 1;
        return true;
      }
    }
    this.#hasOpenComment = true;
    return false;
  }

  skipGap(): void {
    while (WHITE.test(this.next()) || this.skipComment()) {
      this.at += WHITE.test(this.next()) ? 1 : 0;
    }
  }

  /** What stands here up to a byte of `ends`. */
  readTo(ends: RegExp): string {
    const from = this.at;
    while (!this.isOver && !ends.test(this.next())) {
      this.at++;
    }
    return this.#text.slice(from, this.at);
  }

  /** White space and words from here on, none of which begins a comment or a parameter. */
  wordsAfter(): string {
    return /^(?:[\t-\r ]+(?!\()[^\t-\r ;=]+(?![^\t-\r ;]))*/.exec(this.#text.slice(this.at))?.[0] ?? "";
  }

  /** The text between quotation marks, of which the first stands here; without the second to the end. */
  readQuoted(): string {
    const from = ++this.at;
    while (!this.isOver && this.next() !== '"') {
      this.at += this.next() === "\\" ? 2 : 1;
    }
    const quoted = this.#text.slice(from, this.at);
    this.at++;
    return quoted;
  }
}

/** Words with a `=` and a value after them, wherever they stand outside quotation marks and comments. */
function readParameters(reader: Reader): Parameter[] {
  const parameters: Parameter[] = [];
  for (reader.skipGap(); !reader.isOver; reader.skipGap()) {
    const name = reader.readTo(WORD_END).toLowerCase();
    reader.skipGap();
    if (name === "" && reader.next() === '"') {
      reader.readQuoted();
    } else if (name === "") {
      reader.at++;
    } else if (reader.next() === "=") {
      reader.at++;
      reader.skipGap();
      const isQuoted = reader.next() === '"';
      const written = isQuoted ? reader.readQuoted() : reader.readTo(/[\t-\r ;]/);
      // A boundary goes on over words that begin neither a comment nor a parameter.
      const more = isQuoted || name !== "boundary" ? "" : reader.wordsAfter();
      parameters.push({ name, written: written + more, isQuoted });
    }
  }
  return parameters;
}

/** Reads the body of a field. */
export function readStructured(body: string): Structured {
  const reader = new Reader(body);
  reader.skipGap();
  const start = reader.at;
  const word = reader.readTo(WORD_END);
  const wordEnd = reader.at;
  reader.skipGap();
  let second = "";
  if (reader.next() === "/") {
    reader.at++;
    reader.skipGap();
    second = reader.readTo(WORD_END);
  }
  if (word === "" || second === "") {
    reader.at = second === "" && word !== "" ? wordEnd : start;
    second = "";
  }
  return { word, second, parameters: readParameters(reader) };
}

/** The first word of a body, in quotation marks or not. */
export function firstWordOf(body: string): string {
  const reader = new Reader(body);
  reader.skipGap();
  if (reader.next() === '"') {
    reader.at++;
    reader.skipGap();
  }
  return reader.readTo(WORD_END);
}

/** Whether a body has nothing but white space and comments. */
export function isEmptyBody(body: string): boolean {
  const reader = new Reader(body);
  reader.skipGap();
  return reader.isOver;
}

/** The words of a body with commas between them, of HTTP a list of encodings; the first where anything else comes after it. */
export function readList(body: string): string[] {
  const reader = new Reader(body);
  const words: string[] = [];
  do {
    reader.at += words.length > 0 ? 1 : 0;
    reader.skipGap();
    words.push(reader.readTo(WORD_END));
    reader.skipGap();
  } while (reader.next() === ",");
  return words;
}

/** A value without line breaks and the `\` of quoted pairs; `isExtended`: with its triplets decoded. */
function textOf({ written, isQuoted }: Parameter, isExtended: boolean, isFirst: boolean): string {
  const text = isExtended && isFirst ? written.replace(/^[^']*'[^']*'/, "") : written;
  return text.replace(/\\([\s\S])|%([0-9A-F]{2})|[\r\n]/gi, (found: string, pair: string | undefined, hex: string | undefined) => {
    if (pair !== undefined) {
      return !isQuoted ? found.replace(/[\r\n]/g, "") : /[\r\n]/.test(pair) ? "" : pair;
    }
    return hex === undefined ? "" : isExtended ? String.fromCharCode(Number.parseInt(hex, 16)) : found;
  });
}

/** RFC 2231: the value of a parameter, whole, extended or in sections; null where it is not there. */
export function parameterOf({ parameters }: Structured, name: string): string | null {
  const find = (key: string): Parameter | undefined => parameters.find((one) => one.name === key);
  const read = (key: string, isFirst: boolean): string | null => {
    const [plain, extended] = [find(key), find(`${key}*`)];
    return plain !== undefined ? textOf(plain, false, isFirst) : extended === undefined ? null : textOf(extended, true, isFirst);
  };
  const whole = read(name, true);
  let joined: string | null = null;
  for (let section = 0; whole === null && section < SECTIONS_MAX; section++) {
    const piece = read(`${name}*${section}`, section === 0);
    if (piece === null) {
      break;
    }
    joined = (joined ?? "") + piece;
  }
  return whole ?? joined;
}
