// The meanings of flags, kinds and omissions in plain words.

export type Concern = "dangerous" | "unusual" | "damaged";

/** What a flag means to a reader. */
export interface Meaning {
  readonly concern: Concern;
  readonly title: string;
  readonly text: string;
}

type Named = readonly [flag: string, title: string, text: string];

// In each list the most important flags are first.

const DANGEROUS: readonly Named[] = [
  ["other-host", "Text shows another host", "The text of the link is the name or address of one site, and the link leads to another one."],
  [
    "obfuscated",
    "Disguised host",
    "The host is hidden from a reader: it is a number or in strange letters, or comes after the name of another host and an @.",
  ],
  [
    "hidden",
    "Hidden from readers",
    "The style of the element that holds the URL shows nothing: a text without size, or in the color of its background.",
  ],
  [
    "encoded-control",
    "Control character inside",
    "The URL has a coded line break or another control character, which can slip extra commands or header lines to a server.",
  ],
  ["password", "Password inside", "The URL carries a password that everybody who has the message can read. It is hidden here."],
  [
    "userinfo",
    "Name before an @",
    "A web address with something before an @, which no standard allows. A reader may take it for the host.",
  ],
  [
    "reserved-port",
    "Port of another service",
    "The URL names a port below 1024 that is not the one of its scheme. A program may be made to speak to a mail server, say.",
  ],
];

const UNUSUAL: readonly Named[] = [
  ["form", "Target of a form", "A form of the page or message sends to this URL what a reader types: words to search for, or a password."],
  [
    "numeric-host",
    "Number as host",
    "The host is an IP address or another number and has no name. Private networks and throw-away servers are named like this.",
  ],
  ["shortener", "Short link", "The URL is a number at a service of short links. Where it leads, only this service knows."],
  ["open-redirect", "URL inside another", "The URL holds a whole URL of another page and may lead there instead of to its own host."],
  [
    "pixel",
    "Picture without size",
    "The URL is that of a picture of at most one pixel. It fills space, or tells its server who reads the message, and when.",
  ],
  [
    "namespace",
    "Name of a vocabulary",
    "The URL names a vocabulary of markup and leads nowhere. Programs write it. Its host is not counted.",
  ],
  ["odd-port", "Odd port", "The URL names a port that is not the usual one of its scheme."],
  [
    "idn",
    "Letters beyond ASCII",
    "The host has letters other than a to z. Some such names imitate another one with letters that look alike.",
  ],
];

const DAMAGED: readonly Named[] = [
  [
    "hyphen-break",
    "Hyphen at a line break",
    "The URL was broken after a hyphen. The hyphen may belong to it, or a mail program may have put it there.",
  ],
  ["glued", "Letters before the scheme", "Letters stand directly before the URL, so it may begin elsewhere."],
  [
    "bad-percent",
    "Wrong percent sign",
    "A % in the URL is not followed by two hexadecimal digits. Programs differ in what they make of it.",
  ],
  ["cut", "Cut off", "The URL stands before an ellipsis, or a line break seems to have cut the URL of a redirector. It may lack its end."],
];

const BY_CONCERN: readonly (readonly [Concern, readonly Named[]])[] = [
  ["dangerous", DANGEROUS],
  ["unusual", UNUSUAL],
  ["damaged", DAMAGED],
];

/** The meanings of flags, the most important first. */
export const FLAG_MEANINGS: ReadonlyMap<string, Meaning> = new Map(
  BY_CONCERN.flatMap(([concern, meanings]) => meanings.map(([flag, title, text]) => [flag, { concern, title, text }])),
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
