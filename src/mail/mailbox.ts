// The first mailbox of an address field (RFC 5322 3.4): the address alone, and the name beside it.
import { decodeLatin1 } from "../core/text.ts";
import { takeComments } from "./comments.ts";
import { nonEmpty } from "./identifiers.ts";
import { decodeHeaderText, usualText } from "./words.ts";

/** A mailbox; what the field does not say is absent. */
export interface Mailbox {
  /** Without brackets, comments and white space. */
  address?: string;
  /** The display name, or else the comment, decoded. */
  name?: string;
}

/** Stands for a comment: it is no character of Latin-1. */
const COMMENT = "\ue000";
/** What a mailbox is made of: a quoted string, a comment, an angle address, a separator, other text. */
const TOKEN = /"([^"]*)"|(\ue000)|<([^<>]*)>?|([,;:])|([^"\ue000<,;:]+|")/g;
/** A character that is quoted so that it ends nothing; ESCAPED is added to it, so that tokens need not look for escapes. */
const QUOTED_PAIR = /\\(["()\\])/g;
const ESCAPED = 0xe000;
/** A field is looked at up to here. */
const BYTES_MOST = 4096;
/** Parts of usual fields: a word, and text in quotes or brackets. Nothing in them is quoted or nested. */
const WORD = '[^"\\\\()<>,;: ]+';
const TEXT = '[^"\\\\()<>]*';
/**
 * The forms of nearly every field: `"Joe Doe" <joe@a.example>`, `Joe Doe <joe@a.example>`, `joe@a.example (Joe Doe)`, the last one also
 * with `joe at a.example`, and all without the name.
 */
const USUAL = new RegExp(`^(?:(?:"(${TEXT})"|([^"\\\\()<>,;:]*?)) ?<(${WORD})>|(${WORD})(?: at (${WORD}))?(?: \\((${TEXT})\\))?)$`);
/** How list archives write an address: `joe at a.example`. */
const HIDDEN_AT = /^(\S+) at (\S+)$/;

/** Fields whose mailboxes are remembered, and the length of the longest: in most archives the same people write often. */
const KNOWN_MOST = 5000;
const KNOWN_LENGTH_MOST = 200;
const known = new Map<string, Mailbox>();

/** Returns the first mailbox of a field. Never throws, whatever its bytes. (A10) */
export function mailboxOf(bytes: Uint8Array): Mailbox {
  const field = decodeLatin1(bytes.subarray(0, BYTES_MOST));
  const found = known.get(field);
  if (found !== undefined) return found;
  const mailbox = usualMailbox(field) ?? readMailbox(field);
  if (known.size === KNOWN_MOST) known.clear();
  if (field.length <= KNOWN_LENGTH_MOST) known.set(field, mailbox);
  return mailbox;
}

/** Returns the mailbox of a field of a usual form: what `readMailbox` gives; undefined for any other. */
function usualMailbox(raw: string): Mailbox | undefined {
  const [, quoted, phrase, angle, local, host, comment] = USUAL.exec(usualText(raw) ?? "") ?? [];
  const address = angle ?? (host === undefined ? local : `${local}@${host}`);
  if (address === undefined) return undefined;
  const name = (quoted ?? phrase ?? comment ?? "").trim();
  return name === "" ? { address } : { address, name };
}

/** Returns the first mailbox of a field of any form; `raw` has a character for each byte. */
function readMailbox(raw: string): Mailbox {
  const field = raw.replace(QUOTED_PAIR, (_, character: string) => escaped(character));
  let phrase = "";
  let hasAt = false;
  let comment = "";
  let angle: string | undefined;
  // Blanks before a phrase are left out: looking through them at each separator would be quadratic.
  const append = (text: string): void => {
    phrase += phrase === "" ? text.trimStart() : text;
    hasAt ||= text.includes("@");
  };
  const { text: uncommented, comments } = takeComments(field, COMMENT, '"');
  for (const [, quoted, mark, address, separator, text] of uncommented.matchAll(TOKEN)) {
    if (separator === ":" && angle === undefined && !hasAt) phrase = "";
    else if (separator === ":") append(separator);
    else if (separator !== undefined && (angle ?? phrase) !== "") break;
    else if (quoted !== undefined) append(quoted.replace(/\\(.)/gs, "$1"));
    else if (mark !== undefined) comment ||= comments.shift() as string;
    else if (address !== undefined) angle ??= address;
    else append(text ?? "");
  }
  if (angle === undefined) return boxOf(phrase.trim().replace(/\s+/g, " ").replace(HIDDEN_AT, "$1@$2"), comment);
  // A route before the address (RFC 822): <@a.example,@b.example:joe@c.example>.
  return boxOf(angle.replace(/^\s*@[^:]*:/, ""), phrase === "" ? comment : phrase);
}

function escaped(character: string): string {
  return String.fromCharCode(ESCAPED + character.charCodeAt(0));
}

function boxOf(address: string, name: string): Mailbox {
  const bare = nonEmpty(textOf(address).replaceAll(" ", ""));
  const shown = nonEmpty(textOf(name));
  return { ...(bare === undefined ? {} : { address: bare }), ...(shown === undefined ? {} : { name: shown }) };
}

/** Returns the decoded text of a part of the field, which has a character for each byte. */
function textOf(part: string): string {
  // ESCAPED is no part of a byte.
  return usualText(part) ?? decodeHeaderText(Uint8Array.from(part, (character) => character.charCodeAt(0) & 0xff));
}
