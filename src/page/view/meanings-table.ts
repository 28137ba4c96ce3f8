// The meanings of flags, kinds and omissions in plain words.
import type { Flag } from "../../core/names.ts";

export type Concern = "dangerous" | "unusual" | "damaged";

export interface Meaning {
  readonly concern: Concern;
  readonly title: string;
  readonly text: string;
}

/** The titles of flags by concern, the most important first. */
const TITLES: Readonly<Record<Concern, Readonly<Partial<Record<Flag, string>>>>> = {
  dangerous: {
    "other-host": "Text shows another host",
    obfuscated: "Disguised host",
    hidden: "Hidden from readers",
    "encoded-control": "Control character inside",
    password: "Password inside",
    userinfo: "Name before an @",
    "reserved-port": "Port of another service",
  },
  unusual: {
    form: "Target of a form",
    "numeric-host": "Number as host",
    shortener: "Short link",
    "open-redirect": "URL inside another",
    pixel: "Picture without size",
    namespace: "Name of a vocabulary",
    "odd-port": "Odd port",
    idn: "Letters beyond ASCII",
  },
  damaged: {
    "hyphen-break": "Hyphen at a line break",
    glued: "Letters before the scheme",
    "bad-percent": "Wrong percent sign",
    cut: "Cut off",
  },
};

const TEXTS: Readonly<Record<Flag, string>> = {
  "other-host": "The text of the link is the name or address of one site, and the link leads to another one.",
  obfuscated: "The host is hidden from a reader: it is a number or in strange letters, or comes after the name of another host and an @.",
  hidden: "The style of the element that holds the URL shows nothing: a text without size, or in the color of its background.",
  "encoded-control":
    "The URL has a coded line break or another control character, which can slip extra commands or header lines to a server.",
  password: "The URL carries a password that everybody who has the message can read. It is hidden here.",
  userinfo: "A web address with something before an @, which no standard allows. A reader may take it for the host.",
  "reserved-port":
    "The URL names a port below 1024 that is not the one of its scheme. A program may be made to speak to a mail server, say.",
  form: "A form of the page or message sends to this URL what a reader types: words to search for, or a password.",
  "numeric-host":
    "The host is an IP address or another number and has no name. Private networks and throw-away servers are named like this.",
  shortener: "The URL is a number at a service of short links. Where it leads, only this service knows.",
  "open-redirect": "The URL holds a whole URL of another page and may lead there instead of to its own host.",
  pixel: "The URL is that of a picture of at most one pixel. It fills space, or tells its server who reads the message, and when.",
  namespace: "The URL names a vocabulary of markup and leads nowhere. Programs write it. Its host is not counted.",
  "odd-port": "The URL names a port that is not the usual one of its scheme.",
  idn: "The host has letters other than a to z. Some such names imitate another one with letters that look alike.",
  "hyphen-break": "The URL was broken after a hyphen. The hyphen may belong to it, or a mail program may have put it there.",
  glued: "Letters stand directly before the URL, so it may begin elsewhere.",
  "bad-percent": "A % in the URL is not followed by two hexadecimal digits. Programs differ in what they make of it.",
  cut: "The URL stands before an ellipsis, or a line break seems to have cut the URL of a redirector. It may lack its end.",
};

/** The meanings of flags, the most important first. */
export const FLAG_MEANINGS: ReadonlyMap<string, Meaning> = new Map(
  Object.entries(TITLES).flatMap(([concern, titles]) =>
    Object.entries(titles).map(([flag, title]) => [flag, { concern: concern as Concern, title, text: TEXTS[flag as Flag] }]),
  ),
);

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

export const SCHEME_NAMES: ReadonlyMap<string, string> = new Map([
  ["http", "web pages"],
  ["https", "web pages, encrypted"],
  ["ftp", "files of a server"],
  ["mailto", "mail addresses"],
  ["news", "newsgroups and articles"],
  ["nntp", "articles of a news server"],
  ["gopher", "menus of Gopher"],
  ["telnet", "sessions of a terminal"],
  ["file", "files of one computer"],
  ["urn", "names of things"],
  ["cid", "parts of the message"],
  ["mid", "other messages"],
]);

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
