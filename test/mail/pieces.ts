// Messages, archives and batches of news for the property tests: of the pieces that A1 to A18 look at, right and broken, in any order.
import fc from "fast-check";
import { packedParts } from "./packed-pieces.ts";
import { LINES, URLS, WORDS, WRAPPED } from "./text-pieces.ts";

/** What an archive is read with: `type`, `mbox` and `parts` of A1, A2 and A4, `charset` of A18. */
export interface MailReading {
  type: "auto" | "mbox" | "eml" | "news";
  mbox: "auto" | "rd" | "o" | "cl";
  parts: "text" | "all";
  charset: string;
}

const FILES = [
  "begin 644 f\n#86)C\nhttp://u.example/\n`\nend\n",
  "begin 644 f\n#86)C\n",
  "begin 0755 f g\n#86)Cx\nend\n",
  "end\n",
  "begin 644\nx\n",
].concat(["=ybegin line=128 size=3 name=f\nhttp://y.example/\n=yend size=3\n", "=ybegin x\n", "=yend \n"]);
const HYPHENS = "-".repeat(30);
const DIGEST = [`\n${HYPHENS}\n\nSubject: http://s.example/\n folded\n\n`, `${HYPHENS}\n\nA: b\n\n`, `\n${HYPHENS}-\n\nA: b\n\n`].concat([
  `\n${HYPHENS}\nA: b\n\n`,
  `\n${HYPHENS}\n\nno field\n`,
]);
const DATE = "Fri Jan  5 10:11:12 1996";
const FROM_LINES = [`From a@b.example ${DATE}`, `From a@b.example ${DATE}`, `From a@b.example ${DATE}`, "From - Fri Jan 5 10:11 96"].concat(
  [
    "From 12345",
    "From w5:59 22",
    "From -67890",
    "From x 1996-01-05 1:15",
    `From "a b" ${DATE} remote from uu\n>From c ${DATE}`,
    `From http://f.example/ ${DATE}`,
    `From ${"x".repeat(486)} Jan  5 10:11:12 1996`,
    // Near misses.
    `From ${"x".repeat(487)} Jan  5 10:11:12 1996`,
    "From a 5 Jan 96 10:11",
    "From a Jan 5 1996",
    "From a 110:11 1996",
    "From 12345 x",
    "From ",
    `from a ${DATE}`,
    `>From a ${DATE}`,
    `From: a ${DATE}`,
  ],
);
const FIELDS = ["Subject: x", "From: a@b.example", "To: c", "Date: Fri, 5 Jan 1996 10:11:12 +0000", "Message-ID: <1@b.example>"].concat([
  "X-URL: http://x.example/",
  "x-url : <URL:http://x.example/\n y>",
  "List-Archive: <http://l.example/>,\n\t<mailto:l@l.example>",
  "Subject: =?utf-8?Q?http=3A//q.example/=C3=A9_x?= y",
  "Subject: =?us-ascii?b?aHR0cDovL3EuZXhhbXBsZS8=?=\n =?us-ascii?Q?x=3D1?= =?x?q?z?=",
  "Subject: =?us-ascii?Q?http://q.exam?= \n =?us-ascii?B?cGxlL3g=?=x",
  "Subject: =?us-ascii?X?no?= =?a b?Q?c?= =?q?Q?=??=",
  "http://field.example/",
  " continued",
  " \t",
  "no field",
  "Content-Disposition: attachment; name=y; filename=x.eml",
  "=?us-ascii?Q?X?=: http://w.example/",
  "=?us-ascii?Q?http://w.example/?= x",
  "http://Message-ID: x",
  "Empty:",
  ":",
  `X-Long: ${"y ".repeat(200)}`,
]);
const TYPES = [
  "text/plain",
  "text/plain; charset=us-ascii",
  "text/html",
  "TEXT/Html; charset=x",
  "text",
  "",
  "text/plain; format=flowed; delsp=yes",
  "text/plain; format=flowed; delsp=yes; charset=unknown-8bit",
].concat([
  "text/plain; format=Flowed; DelSp=YES; charset=utf-16le",
  "application/octet-stream",
  "application/xhtml+xml",
  "message/rfc822",
  "message/rfc822",
  "message/delivery-status",
  "image/gif; name=http://n.example/",
  "image/svg+xml",
  "(comment) text/html",
  "text\r/\vplain;\rformat=flowed;\rdelsp=yes\r",
  "text/calendar",
  "text/X-vCard; format=flowed; delsp=yes",
  "text/html text/htm boundary=b",
]);
const MESSAGE_TYPES = [
  "message/rfc822",
  "message/rfc822",
  "message/global",
  "application/octet-stream; name=x.eml",
  "application/octet-stream; name*0=x.; name*1=EML",
  'application/octet-stream\nContent-Disposition: x; filename="a b.Eml"',
  "application/x-y; name=x.eml",
];
const CHARSETS = ["utf-16le", "utf-16be", "utf-16", "iso-2022-jp", "UTF-16", "utf-8"].concat([
  "gb2312",
  "GB18030",
  "big5",
  "ks_c_5601-1987",
  "shift_jis",
  "x-euc-jp",
  "iso-2022-kr",
  "hz-gb-2312",
  "utf-7",
  "iso-2022-jp",
]);
const ENCODINGS = [
  "",
  "",
  "7bit",
  "quoted-printable",
  "QUOTED-Printable ",
  "base64",
  "Base64",
  "base64",
  "x-uuencode",
  "x-foo",
  "base64 (so they say)",
];
const BOUNDARIES = ["b", "b", "bb", "b--", "c", "=_c", "a b", "c:d", "b".repeat(256), "b".repeat(257)];
const PAGES = [
  "<p>",
  "<a href='",
  "'>",
  "</a>",
  "&#104;ttp:",
  "&lt;URL:",
  "&gt;",
  "<!-- ",
  " -->",
  "<b>",
  '<img src="http://k.example/&amp;',
  '">',
  "<URL:",
  '<a href=" http://l.example/a b\n',
  "<img srcset='http://m.example/1. 2x, ",
  "<meta content='0; url=http://n.example/!",
  '<p title="x><a href=""',
  "\\",
  "<META charset",
  "<?xml encoding=",
];

const latin1 = (text: string): Buffer => Buffer.from(text, "latin1");
const pick = (list: readonly string[]): fc.Arbitrary<string> => fc.constantFrom(...list);

/** Text of the kinds of lines that plain text is made of, in UTF-8 or Latin-1. */
export const plainText: fc.Arbitrary<string> = fc
  .array(
    fc.oneof(
      { weight: 5, arbitrary: pick(URLS) },
      { weight: 5, arbitrary: pick(WORDS) },
      { weight: 3, arbitrary: pick(LINES) },
      { weight: 2, arbitrary: pick(WRAPPED) },
      { weight: 2, arbitrary: pick(BOUNDARIES).map((boundary) => `\n--${boundary}\n`) },
      { weight: 1, arbitrary: pick(FROM_LINES).map((line) => `\n${line}\n`) },
      { weight: 1, arbitrary: pick(FILES) },
      { weight: 1, arbitrary: pick(DIGEST) },
    ),
    { maxLength: 10 },
  )
  .map((pieces) => (pieces.length % 3 === 1 ? pieces.join("") : Buffer.from(pieces.join("")).toString("latin1")));

/** Text of the pieces of pages. */
export const pageText = fc.array(fc.oneof(pick(PAGES), pick(URLS), pick(WORDS)), { maxLength: 8 }).map((pieces) => pieces.join(""));

/** Quoted-printable with a soft break before some bytes; `every` says how often, `lower` writes digits as `=3d`. */
function toQuotedPrintable(text: string, every: number, lower: boolean): string {
  const digits = (byte: string): string => byte.charCodeAt(0).toString(16).padStart(2, "0");
  const triplet = (byte: string): string => `=${lower ? digits(byte) : digits(byte).toUpperCase()}`;
  return Array.from(text, (byte, at) => {
    const written = /[^\n\r -<>-~]/.test(byte) || at % 11 === every % 11 ? triplet(byte) : byte;
    return at % every === every - 1 ? `=${lower ? " " : ""}\n${written}` : written;
  }).join("");
}

/** Base64 in lines of `width` characters; `junk` stands at their ends, and a second text may follow after the padding of the first. */
function toBase64(text: string, width: number, junk: string, cut: number): string {
  const [first, second] = [text.slice(0, cut), text.slice(cut)].map((part) => latin1(part).toString("base64"));
  return `${first}${second}`.replace(new RegExp(`.{${width}}`, "g"), (line) => line + junk);
}

/** A text in a charset, as a byte string. */
function toCharset(text: string, charset: string, isMarked: boolean): string {
  const mark = isMarked ? "\ufeff" : "";
  if (/^utf-16/i.test(charset)) {
    const bytes = Buffer.from(mark + text, "utf16le");
    return (charset === "utf-16le" ? bytes : bytes.swap16()).toString("latin1");
  }
  return text;
}

/** The head and body of a part without parts: any type, charset and encoding, the encoding carried out or only named. */
const part: fc.Arbitrary<string> = fc
  .record({
    fields: fc.array(pick(FIELDS), { maxLength: 3 }),
    type: fc.option(pick(TYPES), { nil: null }),
    charset: fc.option(pick(CHARSETS), { nil: null, freq: 4 }),
    encoding: pick(ENCODINGS),
    body: fc.oneof(plainText, pageText),
    isHonest: fc.boolean(),
    isMarked: fc.boolean(),
    isCharset: fc.constantFrom(true, true, true, false),
    number: fc.integer({ min: 2, max: 40 }),
    junk: pick(["\n", "\n", "\r\n", " \n", "!", "=", "-_\n"]),
    gap: pick(["\n", "\n", "\n", "", "no field\n", " \n\n"]),
  })
  .map(({ fields, type, charset, encoding, body, isHonest, isMarked, isCharset, number, junk, gap }) => {
    const head = [
      ...fields,
      ...(type === null
        ? []
        : [`Content-Type: ${type}${charset === null ? "" : isMarked ? `; charset="${charset}"` : `;\rcharset=${charset}\r`}`]),
    ];
    const written = charset === null || !isCharset ? body : toCharset(body, charset, isMarked);
    const encodings: Record<string, string> = {
      q: toQuotedPrintable(written, number, isMarked),
      b: toBase64(written, number, junk, isMarked ? number : 0),
    };
    const encoded = (isHonest ? encodings[encoding.charAt(0).toLowerCase()] : undefined) ?? written;
    const named = encoding === "" ? head : [...head, `Content-Transfer-Encoding: ${encoding}`];
    return `${named.map((line) => `${line}\n`).join("")}${gap}${encoded}`;
  });

/** How a boundary is written in a Content-Type. */
const BOUNDARY_FORMS: ((boundary: string) => string)[] = [
  (boundary) => `; boundary="${boundary}"`,
  (boundary) => `; boundary="${boundary}"`,
  (boundary) => `; Boundary=${boundary}`,
  (boundary) => `; boundary=${boundary.replace(/(?=.$)/, " ")} c charset = x`,
  (boundary) => `;\n\tcharset=x; boundary="${boundary}  "`,
  (boundary) => `;\rboundary\v=\r"${boundary}"\r`,
  (boundary) => ` (; x); (a (b)) boundary=(c)"${boundary}"`,
  (boundary) => `; boundary*=us-ascii'en'${encodeURIComponent(boundary)}`,
  (boundary) => `; boundary*0="${boundary.slice(0, 1)}"; boundary*1="${boundary.slice(1)}"`,
  () => "",
];

/** Head and body of a part or message, which may hold others to a depth. */
function entity(depth: number): fc.Arbitrary<string> {
  if (depth === 0) return part;
  const inner = entity(depth - 1);
  const multipart = fc
    .record({
      fields: fc.array(pick(FIELDS), { maxLength: 2 }),
      type: pick(["multipart/mixed", "Multipart/Alternative", "multipart/digest"]),
      form: fc.constantFrom(...BOUNDARY_FORMS),
      boundary: pick(BOUNDARIES),
      used: fc.option(pick(BOUNDARIES), { nil: null, freq: 6 }),
      preamble: fc.tuple(pick(["", "", "", "\n<x-html>", "<X-Rich>", " <x-flowed>", "<x-htm"]), plainText).map((pieces) => pieces.join("")),
      parts: fc.array(inner, { maxLength: 3 }),
      delimiterEnd: pick(["\n", "\n", " \t\n", "\n\n", " x\n"]),
      close: pick(["--\n", "--\n", "-- \n", "", "\n", "--x\n", "--"]),
      epilogue: plainText,
    })
    .map(({ fields, type, form, boundary, used, preamble, parts, delimiterEnd, close, epilogue }) => {
      const head = [...fields, `Content-Type: ${type}${form(boundary)}`].map((line) => `${line}\n`).join("");
      const delimiter = `--${used ?? boundary}`;
      const body = parts.map((part) => `\n${delimiter}${delimiterEnd}${part}`).join("");
      return `${head}\n${preamble}${body}\n${delimiter}${close}${epilogue}`;
    });
  const message = fc.tuple(pick(MESSAGE_TYPES), pick(ENCODINGS), inner, fc.boolean()).map(([type, encoding, enclosed, isHonest]) => {
    const first = isHonest ? encoding.charAt(0).toLowerCase() : "";
    const written = first === "q" ? toQuotedPrintable(enclosed, 30, false) : first === "b" ? toBase64(enclosed, 40, "\n", 0) : enclosed;
    return `Content-Type: ${type}\nContent-Transfer-Encoding: ${encoding}\n\n${written}`;
  });
  const packed = packedParts(fc.oneof(inner, plainText, pageText));
  return fc.oneof(
    { weight: 2, arbitrary: part },
    { weight: 3, arbitrary: multipart },
    { weight: 1, arbitrary: message },
    { weight: 1, arbitrary: packed },
  );
}

/** The line breaks of a text as they are, or all or some of them as CR LF. */
function withBreaks(text: string, form: "lf" | "crlf" | "mixed"): string {
  let count = 0;
  return form === "lf" ? text : text.replace(/\r?\n/g, () => (form === "crlf" || count++ % 3 === 1 ? "\r\n" : "\n"));
}

const breaks = fc.constantFrom("lf" as const, "lf" as const, "crlf" as const, "mixed" as const);

/** Messages with up to three multiparts or messages in each other; they begin with a header, which may be broken at once. */
export const messages: fc.Arbitrary<Buffer> = fc.tuple(entity(3), breaks).map(([text, form]) => latin1(withBreaks(text, form)));

/** Archives of messages: From_ lines of all dialects and near misses, with an empty line before them or not. */
export const mboxes: fc.Arbitrary<Buffer> = fc
  .tuple(
    fc.array(
      fc.record({
        from: fc.oneof(fc.constant(FROM_LINES[0] ?? ""), pick(FROM_LINES)),
        text: entity(2),
        extra: fc.option(fc.integer({ min: -2, max: 2 }), { nil: null }),
        gap: pick(["\n\n", "\n\n", "\n\n", "\n", "", "\n\r\n"]),
      }),
      { minLength: 1, maxLength: 4 },
    ),
    pick(["", "", "", "\n", "text http://t.example/\n\n"]),
    breaks,
  )
  .map(([found, before, form]) => {
    const all = found.map(({ from, text, extra, gap }) => {
      const bodyLength = text.length - (text.indexOf("\n\n") < 0 ? 0 : text.indexOf("\n\n") + 2);
      const length = extra === null ? "" : `Content-Length: ${bodyLength + extra}\n`;
      return `${from}\n${length}${text}${gap}`;
    });
    return latin1(withBreaks(before + all.join(""), form));
  });

/** Batches of news, of which some have wrong lengths. */
export const batches: fc.Arbitrary<Buffer> = fc
  .array(fc.tuple(entity(1), breaks, fc.constantFrom(0, 0, 0, 1, -1, 1000), pick(["", "", " x", "\r"])), { minLength: 1, maxLength: 3 })
  .map((articles) => {
    const written = articles.map(([text, form, extra, behind]) => {
      const article = withBreaks(text, form);
      return `#! rnews ${Math.max(0, article.length + extra)}${behind}\n${article}`;
    });
    return latin1(written.join(""));
  });

/** Messages of Apple Mail, of which some have wrong lengths. */
const appleMails = fc
  .tuple(messages, fc.constantFrom(0, 0, -5, 7, 1000), pick(["\n", "  \r\n"]), pick(["", "<?xml version='1.0'?>\n", "\n"]))
  .map(([bytes, extra, lineBreak, after]) =>
    latin1(`${Math.max(0, bytes.length + extra)}${lineBreak}${bytes.toString("latin1")}${after}http://p.example/`),
  );

const SEPARATORS = ["\x01\x01\x01\x01\n", "\x01\x01\x01\x01\n", "\x01\x01\x01\x01\n\x01\x01\x01\x01\n"].concat([
  "\x01\x01\x01\x01",
  "\x01\x01\x01\x01\n\n",
  // Near misses.
  "\x01\x01\x01\n",
  "\x01\x01\x01\x01\x01\n",
  "\x01\x01\x01\x01 \n",
  "\x01\x01\x01\x01\r",
]);

/** MMDF mailboxes: separator lines before messages, after them and inside them. */
export const mmdfs: fc.Arbitrary<Buffer> = fc
  .tuple(
    pick(["Subject: x\n", `${FROM_LINES[0]}\n`, "From 1\n"]),
    fc.array(fc.tuple(entity(2), pick(["\n", "\n", "", "\r"]), pick(SEPARATORS), fc.option(fc.nat(400), { nil: null, freq: 3 })), {
      minLength: 1,
      maxLength: 4,
    }),
    breaks,
  )
  .map(([first, found, form]) => {
    const all = found.map(([text, gap, separator, inside]) => {
      const cut = inside === null ? text : `${text.slice(0, inside)}\n${separator}${text.slice(inside)}`;
      return `${cut}${gap}${separator}`;
    });
    return latin1(withBreaks(`${SEPARATORS[0]}${first}${all.join("")}`, form));
  });

/** What may be before an archive (A1). */
const LEADING = pick(["\0", "\0\0\n", " \t\n", "\n \r\n", "\xef\xbb\xbf \n", " ", "\n\0"]);

/** Calendars, cards and LDIF (C315). */
const folded: fc.Arbitrary<Buffer> = fc
  .tuple(pick(["BEGIN:VCARD\n", "begin:vcalendar\r\n", "dn: x\n", "# x\nversion: 1\n\ndn: y\n", "BEGIN:VCARD"]), plainText, plainText)
  .map(([first, text, more]) => latin1(`${first}URL:https\\://k.exam\n ple/x\\,\r\n\ty\n${text}${more}`));

/** Anything that a reader of mail may be given. */
export const mailSources: fc.Arbitrary<Buffer> = fc.oneof(
  { weight: 1, arbitrary: fc.tuple(LEADING, fc.oneof(messages, mboxes)).map(([before, bytes]) => Buffer.concat([latin1(before), bytes])) },
  { weight: 1, arbitrary: folded },
  { weight: 4, arbitrary: messages },
  { weight: 4, arbitrary: mboxes },
  { weight: 1, arbitrary: batches },
  { weight: 1, arbitrary: appleMails },
  { weight: 3, arbitrary: mmdfs },
  { weight: 1, arbitrary: messages.map((bytes) => Buffer.from(`\ufeff${bytes.toString("latin1")}`, "utf16le")) },
);

/** Any way to read a source; the types most often one that fits an archive. */
export const mailReadings: fc.Arbitrary<MailReading> = fc.record({
  type: fc.constantFrom("auto", "auto", "mbox", "mbox", "eml", "news"),
  mbox: fc.constantFrom("auto", "rd", "o", "cl"),
  parts: fc.constantFrom("text", "text", "all"),
  charset: fc.constantFrom("utf-8", "utf-8", "windows-1252", "iso-8859-7", "koi8-r", "utf-16le"),
});
