// Real mail and what is made of it by mistakes of bytes (A1 to A9, A12 to A14): messages of the archives that are at hand, cut, doubled,
// spliced, with pieces put in at which readers differ. The pieces of test/mail/pieces.ts make messages by the rules; these break them.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { gunzipSync } from "node:zlib";
import fc from "fast-check";
import { share } from "../core/shares.ts";
import type { MailSearch } from "./oracle-rows.ts";
import { mailSources } from "./pieces.ts";

/** The folder of real archives. */
export const ARCHIVES = process.env.URLMILL_CORPUS ?? resolve(import.meta.dirname, "../../../shared/corpus");
const EXAMPLES = resolve(import.meta.dirname, "../../examples");
/** The oracle reads a byte in microseconds: what is longer is cut. */
const SOURCE_BYTES_MAX = 6000;
/** Messages that are taken of each archive, at even distances. */
const MESSAGES_OF_ARCHIVE = 150;

const latin1 = (text: string): Buffer => Buffer.from(text, "latin1");

function archivesIn(folder: string): Buffer[] {
  const names = existsSync(folder) ? readdirSync(folder).filter((name) => /\.(?:mbox|eml)(?:\.gz)?$/.test(name)) : [];
  return names.sort().map((name) => {
    const bytes = readFileSync(join(folder, name));
    return name.endsWith(".gz") ? gunzipSync(bytes) : bytes;
  });
}

/** Messages of an archive with their From_ lines, each cut to what the oracle reads in good time. */
function messagesOf(archive: Buffer): Buffer[] {
  const starts = [0];
  for (let at = archive.indexOf("\nFrom "); at >= 0; at = archive.indexOf("\nFrom ", at + 1)) starts.push(at + 1);
  const step = Math.max(1, starts.length / MESSAGES_OF_ARCHIVE);
  return Array.from({ length: Math.min(starts.length, MESSAGES_OF_ARCHIVE) }, (_, index) => {
    const at = Math.floor(index * step);
    const start = starts[at] ?? 0;
    return archive.subarray(start, Math.min(start + SOURCE_BYTES_MAX, starts[at + 1] ?? archive.length));
  });
}

/** Real messages: those of the archives at hand, and those of examples/. */
export const realMessages: readonly Buffer[] = [...archivesIn(ARCHIVES), ...archivesIn(EXAMPLES)].flatMap(messagesOf);

const BREAKS = ["\r", "\r\r\n", "\n", "\r\n", "\n\n", "\r\n\r\n", "\n\r", "\0", "\n \n", "\n\t", "\v", "\f", "\r ", "\r\r"];
const FROM_LINES = [
  "From a@b.example Fri Jan  5 10:11:12 1996\n",
  "From w5:59 22\n",
  "From x 10:11 96\n",
  "From -12\n",
  ">From a@b.example Fri Jan  5 10:11:12 1996\n",
  "From a 1:23 \r\n",
  "\nFrom a@b.example Fri Jan  5 10:11:12 1996\nSubject: x\n\n",
  "#! rnews 40\n",
  "#! rnews ",
];
const FIELDS = [
  "Content-Type: text/plain; charset=utf-16\n",
  "Content-Type: text/plain; charset=UTF-16LE\r\n",
  "Content-Type: text/html; charset=utf-16be\n",
  "Content-Type: text/plain; format=flowed; delsp=yes\n",
  "Content-Type: multipart/mixed; boundary=b\n",
  'Content-Type: multipart/mixed;\n boundary="b"\n',
  "Content-Type: multipart/digest; boundary*0=b; boundary*1*=%62\n",
  "Content-Type: message/rfc822\n",
  "Content-Type: text/html\n",
  "Content-Transfer-Encoding: base64\n",
  "Content-Transfer-Encoding: quoted-printable\n",
  "Content-Transfer-Encoding: x-uuencode\n",
  "Content-Length: 100\n",
  "Content-Length:\r\n 100\r\n",
  "Content-Length:\r(c)100\n",
  "=?us-ascii?Q?Subject?=: x\n",
  "=?us-ascii?Q?x=3A?=http://w.example/: y\n",
  "Subject: =?us-ascii?Q?http=3A//q.example/=C3=A9?=\n =?utf-8?B?aHR0cDovL3EuZXhhbXBsZS8=?=\n",
  "http://Message-ID: x\n",
  "Message-ID : <1@b.example>\n",
  "Message-ID: <2@b.example>\n",
  "MIME-Version: 1.0\n",
];
const PARAMETERS = [
  "; charset=utf-16",
  ";charset=utf-16le",
  ";\rcharset=utf-16be",
  "; charset*=''utf-16",
  '; charset="utf-16',
  "; format=flowed; DelSp=yes",
  ";boundary=b",
  ";\n\tboundary=b",
  "; boundary=(c) b",
  "; boundary=b(c)",
  "; boundary = b ;",
  "; name=x\\y; boundary=b",
  '; name="a\\";boundary=b',
  "/e",
  "(x)",
  "(\\",
  "multipart/e",
  "text/html",
];
const BOUNDARIES = [
  "--b\n",
  "\n--b\n\n",
  "--b--\n",
  "--b \r\n",
  "--b\r",
  "--b\r\r\n",
  "\r--b\n",
  "--\n",
  "--",
  "\n--bb\n",
  "--b\0\n",
  "--b--\r",
];
const WORDS = ["=?us-ascii?Q?", "?=", "=?x?B?", "=?x?q?a?=", "=?utf-8?b?aHR0cDovL2EuYg==?=", "=?utf-8?Q?http://z.example/?=", "=?", "?"];
const TEXTS = [
  "<",
  ">",
  "<\n",
  "\n>",
  "<l\n.om>",
  "<l\ninux@a.com>",
  "<URL:",
  "<http://a.exam\nple/x>",
  "> ",
  ">",
  "http://",
  "http://a.example/x",
  "https://b.example/?u=http%3A%2F%2Fc.example%2Fd",
  "mailto:a@b.example",
  "www.c.example",
  "d@e.example.com",
  "f.com",
  "\u00e9",
  "\u00e2\u0080\u0094",
  "\u0080",
  "'",
  '"',
  "(",
  ")",
  "=",
  "=\n",
  "=3D",
  "=20\n",
  "+AGg-",
  "~{VPND~}",
  "&amp;",
  "&lt;",
  "<a href='http://g.example/'>",
  "<!--",
  "-->",
  "begin 644 f\n#86)C\n`\nend\n",
  "begin 644 f\n",
  "=ybegin \n",
  "=yend\n",
  `\n${"-".repeat(30)}\n\nSubject: x\n\n`,
  "..",
  "\n..http://h.example/\n",
];
const PIECES = [BREAKS, FROM_LINES, FIELDS, PARAMETERS, BOUNDARIES, WORDS, TEXTS];

/** Where in a text something happens, a share of its length: anywhere, in its first quarter, or at the start of a line. */
interface Spot {
  share: number;
  near: "anywhere" | "early" | "line" | "break";
}

function offsetOf(text: string, { share, near }: Spot): number {
  const at = Math.floor(share * (near === "early" ? Math.min(text.length, 1200) : text.length));
  if (near === "line") return text.lastIndexOf("\n", at) + 1;
  return near === "break" ? Math.max(0, text.lastIndexOf("\n", at)) : at;
}

/** A boundary that a text names: pieces with the boundary `b` are of more use with it. */
function ownBoundary(text: string, piece: string): string {
  const boundary = /boundary="?([^"\s;]{1,70})/i.exec(text)?.[1];
  return boundary !== undefined && /--b/.test(piece) ? piece.replace("--b", `--${boundary}`) : piece;
}

type Mutation = (text: string) => string;

const spot: fc.Arbitrary<Spot> = fc.record({
  share,
  near: fc.constantFrom("anywhere", "anywhere", "early", "early", "line", "line", "break"),
});
const count = fc.oneof(fc.integer({ min: 1, max: 8 }), fc.integer({ min: 1, max: 800 }));
const piece = fc.constantFrom(...PIECES).chain((list) => fc.constantFrom(...list));

const insertion = fc.tuple(spot, piece).map(([where, what]): Mutation => {
  return (text) => {
    const at = offsetOf(text, where);
    return text.slice(0, at) + ownBoundary(text, what) + text.slice(at);
  };
});
const replacement = fc.tuple(spot, fc.integer({ min: 1, max: 3 }), piece).map(([where, width, what]): Mutation => {
  return (text) => {
    const at = offsetOf(text, where);
    return text.slice(0, at) + what + text.slice(at + width);
  };
});
const removal = fc.tuple(spot, count).map(([where, width]): Mutation => {
  return (text) => {
    const at = offsetOf(text, where);
    return text.slice(0, at) + text.slice(at + width);
  };
});
const doubling = fc.tuple(spot, spot, count).map(([from, to, width]): Mutation => {
  return (text) => {
    const start = offsetOf(text, from);
    const at = offsetOf(text, to);
    return text.slice(0, at) + text.slice(start, start + width) + text.slice(at);
  };
});
const flip = fc.tuple(spot, fc.integer({ min: 0, max: 255 })).map(([where, byte]): Mutation => {
  return (text) => {
    const at = offsetOf(text, where);
    return text.slice(0, at) + String.fromCharCode(byte) + text.slice(at + 1);
  };
});
/** The fields of the first header in another order. */
const reordering = fc.tuple(fc.nat(40), fc.nat(40)).map(([from, to]): Mutation => {
  return (text) => {
    const head = text.search(/\n\r?\n/) + 1;
    const fields = text.slice(0, head).split(/(?<=\n)(?![ \t])/);
    const [moved = ""] = fields.splice(from % Math.max(1, fields.length), 1);
    fields.splice(to % (fields.length + 1), 0, moved);
    return fields.join("") + text.slice(head);
  };
});
const otherBreaks = fc.tuple(spot, fc.constantFrom("\n", "\r\n", "\r", "\r\r\n")).map(([where, written]): Mutation => {
  return (text) => {
    const at = offsetOf(text, where);
    return text.slice(0, at) + text.slice(at).replace(/\r*\n/g, written);
  };
});

const mutation: fc.Arbitrary<Mutation> = fc.oneof(
  { weight: 10, arbitrary: insertion },
  { weight: 3, arbitrary: replacement },
  { weight: 3, arbitrary: removal },
  { weight: 2, arbitrary: doubling },
  { weight: 3, arbitrary: flip },
  { weight: 1, arbitrary: reordering },
  { weight: 1, arbitrary: otherBreaks },
);

const source: fc.Arbitrary<Buffer> = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...realMessages) },
  { weight: 2, arbitrary: mailSources },
);

/** Two sources one after the other, each cut somewhere, as damaged archives are. */
const spliced = fc.tuple(source, source, spot, spot).map(([first, second, to, from]) => {
  const [head, tail] = [first.toString("latin1"), second.toString("latin1")];
  return latin1(head.slice(0, offsetOf(head, to)) + tail.slice(offsetOf(tail, from)));
});

/** Texts with one to eight mistakes in them. */
export function mutatedFrom(texts: fc.Arbitrary<Buffer>): fc.Arbitrary<Buffer> {
  const mutations = fc.array(mutation, { minLength: 1, maxLength: 8 });
  return fc.tuple(texts, mutations).map(([bytes, all]) => {
    return latin1(all.reduce((text, mutate) => mutate(text), bytes.toString("latin1"))).subarray(0, 2 * SOURCE_BYTES_MAX);
  });
}

/** Mail with one to eight mistakes in it. */
export const mutatedMail: fc.Arbitrary<Buffer> = mutatedFrom(fc.oneof({ weight: 3, arbitrary: source }, { weight: 1, arbitrary: spliced }));

/** Options of the extraction that are asked for together with a way to read mail; most often none. */
export const searchOptions: fc.Arbitrary<MailSearch> = fc
  .tuple(
    fc.constantFrom<MailSearch[]>({}, {}, { bare: ["www", "email", "domain", "ip"] }, { bare: "email" }, { bare: ["www", "email"] }),
    fc.constantFrom<MailSearch[]>({}, {}, {}, { guess: true }),
    fc.constantFrom<MailSearch[]>({}, {}, {}, { nested: true }),
    fc.constantFrom<MailSearch[]>({}, {}, {}, { anyScheme: true }),
    fc.constantFrom<MailSearch[]>({}, {}, {}, {}, { urlBytesMax: 256 }),
  )
  .map((chosen) => Object.assign({}, ...chosen));
