// The meanings of flags, kinds and omissions in plain words.

/** Why a flag matters to a reader. */
export type Concern = "dangerous" | "unusual" | "damaged";

/** A name and what it means. */
interface Meaning {
  readonly title: string;
  readonly text: string;
}

/** Flags, the most important first. */
export const FLAG_MEANINGS: ReadonlyMap<string, Meaning & { readonly concern: Concern }> = new Map([
  [
    "other-host",
    {
      concern: "dangerous",
      title: "Text shows another host",
      text: "The text of the link shows the name or address of one site, and the link leads to another one.",
    },
  ],
  [
    "obfuscated",
    {
      concern: "dangerous",
      title: "Disguised host",
      text: "The host is hidden from a reader: it is a number or in coded letters, or comes after the name of another host and an @.",
    },
  ],
  [
    "hidden",
    {
      concern: "dangerous",
      title: "Hidden from readers",
      text: "The style of the element that holds the URL shows nothing: a text without size, or a picture that only counts readers.",
    },
  ],
  [
    "encoded-control",
    {
      concern: "dangerous",
      title: "Control character inside",
      text: "The URL has a coded line break or another control character, which can slip extra commands or header lines to a server.",
    },
  ],
  [
    "password",
    {
      concern: "dangerous",
      title: "Password inside",
      text: "The URL carries a password that everybody who has the message can read. It is hidden here.",
    },
  ],
  [
    "userinfo",
    {
      concern: "dangerous",
      title: "Name before an @",
      text: "A web address with something before an @, which no standard allows. A reader may take it for the host.",
    },
  ],
  [
    "reserved-port",
    {
      concern: "dangerous",
      title: "Port of another service",
      text: "The URL names a port below 1024 that is not the one of its scheme. A program may be made to speak to a mail server, say.",
    },
  ],
  [
    "form",
    {
      concern: "unusual",
      title: "Target of a form",
      text: "A form of the page or message sends to this URL what a reader types: words to search for, or a password.",
    },
  ],
  [
    "numeric-host",
    {
      concern: "unusual",
      title: "Number as host",
      text: "The host is an IP address or another number and has no name. Private networks and throw-away servers are named like this.",
    },
  ],
  [
    "shortener",
    {
      concern: "unusual",
      title: "Short link",
      text: "The URL is a number at a service of short links. Where it leads, only this service knows.",
    },
  ],
  [
    "open-redirect",
    {
      concern: "unusual",
      title: "URL inside another",
      text: "The URL holds a whole URL of another page and may lead there instead of to its own host.",
    },
  ],
  [
    "namespace",
    {
      concern: "unusual",
      title: "Name of a vocabulary",
      text: "The URL names a vocabulary of markup and leads nowhere. Programs write it. Its host is not counted.",
    },
  ],
  ["odd-port", { concern: "unusual", title: "Odd port", text: "The URL names a port that is not the usual one of its scheme." }],
  [
    "idn",
    {
      concern: "unusual",
      title: "Letters beyond ASCII",
      text: "The host has letters other than a to z. Some such names imitate another one with letters that look alike.",
    },
  ],
  [
    "hyphen-break",
    {
      concern: "damaged",
      title: "Hyphen at a line break",
      text: "The URL was broken after a hyphen. The hyphen may belong to it, or a mail program may have put it there.",
    },
  ],
  [
    "glued",
    { concern: "damaged", title: "Letters before the scheme", text: "Letters stand directly before the URL, so it may begin elsewhere." },
  ],
  [
    "bad-percent",
    {
      concern: "damaged",
      title: "Wrong percent sign",
      text: "A % in the URL is not followed by two hexadecimal digits. Programs differ in what they make of it.",
    },
  ],
  [
    "cut",
    {
      concern: "damaged",
      title: "Cut redirect",
      text: "A line break seems to have cut the URL of a redirector, so that the URL inside may lack its end.",
    },
  ],
]);

/** Kinds of matches: how the URL was written. */
export const KIND_NAMES: ReadonlyMap<string, string> = new Map([
  ["plain", "in running text"],
  ["wrapped", "in <…>"],
  ["rejoined", "in <…>, over line breaks"],
  ["guessed", "over line breaks, joined"],
  ["www", "www. without a scheme"],
  ["email", "mail address without a scheme"],
  ["domain", "domain without a scheme"],
  ["ip", "IP address without a scheme"],
  ["refanged", "defanged"],
  ["link", "relative link"],
  ["nested", "inside another URL"],
]);

/** Reasons of omissions. */
export const OMISSION_NAMES: ReadonlyMap<string, string> = new Map([
  ["link", "links in folders and archives, not followed"],
  ["special-file", "special files"],
  ["output", "files that are also the output"],
  ["excluded", "files and folders that --include and --exclude leave out"],
  ["git", "git repositories, not read"],
  ["pdf", "PDFs, whose compressed text is not read"],
  ["unreadable", "inputs that could not be read"],
  ["deep-multipart", "bodies too deeply nested, read as text"],
  ["no-boundary", "multipart bodies without a boundary, read as text"],
  ["long-field", "header fields not decoded to their end"],
  ["large-object", "objects of JSON without date and sender, because they are large"],
  ["uuencode", "uuencoded blocks, not decoded"],
  ["yenc", "yEnc blocks, not decoded"],
  ["encoded-body", "bodies in an unknown encoding, not decoded"],
  ["attachment", "attachments of types that are no text, not read"],
]);
