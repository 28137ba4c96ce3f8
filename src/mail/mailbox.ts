// The first mailbox of an address field (RFC 5322 3.4): the address alone, and the name beside it.
import { remembering } from "../base/arrays.ts";
import { decodeLatin1 } from "../core/text.ts";
import { decodeHeaderText, nonEmpty, takeComments, usualText } from "./words.ts";

/** A mailbox. A part that the field lacks is absent. */
export interface Mailbox {
  /** Without brackets, comments and white space; its domain is in lower case. */
  address?: string;
  /** The display name, or else the comment, decoded. */
  name?: string;
}

const COMMENT = "\ue000"; // Replaces each comment in a field. Latin-1 does not have this character
/** The tokens of a mailbox: a quoted string, a comment, an angle address, a separator, other text. */
const TOKEN = /"([^"]*)"|(\ue000)|<([^<>]*)>?|([,;:])|([^"\ue000<,;:]+|")/g;
const QUOTED_PAIR = /\\(["()\\])/g; // Matches a delimiter after a backslash
const ESCAPED = 0xe000; // Added to the code of a quoted delimiter, so that TOKEN need not handle escapes
const BYTES_MOST = 4096; // Most bytes of a field that are read
const WORD = '[^"\\\\()<>,;: ]+'; // A word of a usual field
const TEXT = '[^"\\\\()<>]*'; // A text in quotes or in a comment of a usual field: nothing in it is quoted or nested
// The forms of nearly every field: `"Joe Doe" <joe@a.example>`, `Joe Doe <joe@a.example>`, `joe@a.example (Joe Doe)`, the last one also
// with `joe at a.example`, and all without the name.
const USUAL = new RegExp(`^(?:(?:"(${TEXT})"|([^"\\\\()<>,;:]*?)) ?<(${WORD})>|(${WORD})(?: at (${WORD}))?(?: \\((${TEXT})\\))?)$`);
const HIDDEN_AT = /^(\S+) at (\S+)$/; // How list archives write an address: `joe at a.example`
const ADDRESS = /(?<![^\s,;[\]])[^\s,;[\]]+@(?:\[[^\s[\]]*\]|[^\s,;[\]]+)/; // An address among other words
const ADDRESS_ALONE = /^[^\s,;<>@]+@[^\s,;<>@]+$/;
const HAS_ADDRESS = /\S ?@ ?\S/; // A text with an address, perhaps with a blank before or after the `@`
/** The end of a phrase that is an address alone, from the last word before the `@` on. */
const LAST_OF_ADDRESS = /^(?:[^\s@]*@\S+|\S* @ ?\S+|\S*@ \S+)$/;
const ANGLE_ADDRESS = /<([^<>@]+@[^<>@]+)>/; // An address in angle brackets, wherever they are

const KNOWN_MOST = 5000; // Most cached fields: in most archives the same people write often
const KNOWN_LENGTH_MOST = 200; // Most characters of a cached field

const mailboxIn = remembering(
  (field: string) => withNormalDomain(usualMailbox(field) ?? readMailbox(field)),
  KNOWN_MOST,
  KNOWN_LENGTH_MOST,
);

/** Returns the first mailbox of a field. Never throws, whatever the bytes of the field. (A10) */
export function mailboxOf(bytes: Uint8Array): Mailbox {
  return mailboxIn(decodeLatin1(bytes.subarray(0, BYTES_MOST)));
}

/** Writes the domain of an address in lower case without dots at its end, as one host. The local part stays (RFC 5321 2.4). (C300) */
function withNormalDomain(mailbox: Mailbox): Mailbox {
  const { address } = mailbox;
  if (address === undefined) return mailbox;
  const domain = address.lastIndexOf("@") + 1;
  let end = address.length;
  while (end > domain + 1 && address[end - 1] === ".") end--;
  return { ...mailbox, address: address.slice(0, domain) + address.slice(domain, end).toLowerCase() };
}

/** Reads a field of the form USUAL with an address as `readMailbox` does. Returns undefined for any other field. */
function usualMailbox(raw: string): Mailbox | undefined {
  const [, quoted, phrase, angle, local, host, comment] = USUAL.exec(usualText(raw) ?? "") ?? [];
  const address = angle ?? (host === undefined ? local : `${local}@${host}`);
  if (address === undefined || !HAS_ADDRESS.test(address)) return undefined;
  const name = (quoted ?? phrase ?? comment ?? "").trim();
  return name === "" ? { address } : { address, name };
}

// Reads a field of any form; `raw` has a character for each byte. A separator before any address belongs to the name, and angle brackets
// without an address are skipped: many mailers do not quote a name such as `Mill, Ann`, and senders of spam write what they like.
function readMailbox(raw: string): Mailbox {
  const field = raw.replace(QUOTED_PAIR, (_, character: string) => escaped(character));
  let [phrase, comment, hasAngle] = ["", "", false];
  /** Whether the phrase is an address alone. */
  let isAddress = false;
  let address: string | undefined;
  // Omit blanks before a phrase: searching them at each separator would be quadratic.
  const append = (text: string): void => {
    if (!hasAngle) phrase += phrase === "" ? text.trimStart() : text;
  };
  const { text: uncommented, comments } = takeComments(field, COMMENT, '"');
  for (const { index, 0: token, 1: quoted, 2: mark, 3: angle, 4: separator, 5: text } of uncommented.matchAll(TOKEN)) {
    if (separator === ":" && !hasAngle && !isAddress) phrase = "";
    else if (separator !== undefined && separator !== ":" && (isAddress || address !== undefined)) break;
    else if (separator !== undefined && (separator === ":" || phrase !== "")) append(separator);
    // A quoted address is a name.
    else if (quoted !== undefined) {
      const word = quoted.replace(/\\(.)/gs, "$1").replace(/[@\s,;[\]]/g, escaped);
      append(/^\s?@/.test(uncommented.slice(index + token.length)) ? `"${word}"` : word);
    } else if (mark !== undefined) comment ||= comments.shift() as string;
    else if (angle !== undefined) {
      hasAngle = true;
      address ??= addressIn(angle);
    } else if (text !== undefined) {
      isAddress ||= !hasAngle && endsAddress(phrase, text.trim());
      append(text);
    }
  }
  const words = withoutSeparators(phrase.replace(/\s+/g, " "));
  if (!isAddress) address ??= addressIn(ANGLE_ADDRESS.exec(field)?.[1] ?? "");
  if (hasAngle || address !== undefined) return boxOf(address, words === "" ? comment : words);
  const bare = words.replace(HIDDEN_AT, "$1@$2").replace(/ ?@ ?/g, "@");
  const found = ADDRESS.exec(bare)?.[0];
  if (found === undefined) {
    const text = textOf(words);
    if (ADDRESS_ALONE.test(text)) return { address: text, ...(comment === "" ? {} : boxOf(undefined, comment)) };
  }
  return boxOf(found, comment === "" ? (found === undefined ? bare : bare.replace(`[${found}]`, "").replace(found, "")) : comment);
}

/** Returns whether a phrase with `text` at its end is an address alone, plain or hidden. */
function endsAddress(phrase: string, text: string): boolean {
  const isHidden = phrase === "" && text.includes(".") && HIDDEN_AT.test(text);
  return isHidden || (LAST_OF_ADDRESS.test(text) && !/\s/.test(phrase));
}

/** Returns the address in `angle`, the text between angle brackets, or undefined. */
function addressIn(angle: string): string | undefined {
  // A route before the address (RFC 822): <@a.example,@b.example:joe@c.example>.
  const address = angle
    .replace(/^\s*@[^:]*:/, "")
    .trim()
    .replace(HIDDEN_AT, "$1@$2")
    .replace(/("[^"]*")|\s/g, "$1");
  return HAS_ADDRESS.test(address) ? address : undefined;
}

function escaped(character: string): string {
  return String.fromCharCode(ESCAPED + character.charCodeAt(0));
}

function boxOf(address: string | undefined, name: string): Mailbox {
  const text = address === undefined ? "" : textOf(address.replace(/[\ue022\ue05c]/g, "\\$&"));
  const bare = nonEmpty(text.includes('"') ? text : text.replaceAll(" ", ""));
  const shown = nonEmpty(textOf(name));
  return { ...(bare === undefined ? {} : { address: bare }), ...(shown === undefined ? {} : { name: shown }) };
}

/** Returns a phrase without separators and blanks at its end: they were before an address. */
function withoutSeparators(name: string): string {
  let end = name.length;
  while (end > 0 && ",; ".includes(name[end - 1])) end--;
  return name.slice(0, end);
}

/** Returns the decoded text of a part of a field. `part` has a character for each byte. */
function textOf(part: string): string {
  // Only the low byte: without ESCAPED.
  return usualText(part) ?? decodeHeaderText(Uint8Array.from(part, (character) => character.charCodeAt(0) & 0xff));
}
