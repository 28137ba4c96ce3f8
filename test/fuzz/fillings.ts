// Makes a small text large: repeated fillers are put into it at some offsets. A failure is made smaller by its small text.
import fc from "fast-check";
import { shareToEnd } from "../core/shares.ts";

/** Repeated units of fillers; `%` is the number of the repetition. */
const FILLERS = {
  words: "some words that nothing looks at, and a few more of them, so that a line is full\n",
  run: "x",
  spaces: " ",
  breaks: "\n",
  urls: "http://a.example/%\n",
  links: '<p><a href="http://b.example/?q=%&amp;r=1">text</a></p>\n',
  quoted: "> > see http://c.example/% there\n",
  base64: "aHR0cDovL2QuZXhhbXBsZS8gaHR0cDovL2QuZXhhbXBsZS94eXogaHR0cDovL2QuZXhhbXBsZQog\n",
  soft: "words of quoted-printable text, which go on in the next line after this one=\n",
  fields: "X-Field-%: some text\n",
  folded: " folded http://e.example/%\n",
  addresses: "<f%@g.example>,\n\t",
  escaped: ">From the start of a line\n",
  messages: "From a@b.example Fri Jan  5 10:11:12 1996\nMessage-ID: <%@h.example>\nSubject: %\n\nhttp://h.example/%\n\n",
  parts: "--b\nContent-Type: text/html\n\n<a href=http://i.example/%>\n\n",
  mmdf: "\x01\x01\x01\x01\n\x01\x01\x01\x01\nMessage-ID: <%@j.example>\n\nhttp://j.example/%\n",
  records:
    "WARC/1.0\r\nWARC-Type: resource\r\nWARC-Target-URI: http://k.example/%\r\nContent-Length: 18\r\n\r\nhttp://k.example/\n\r\n\r\n",
  redirected: "http://www.google.com/url?q=http://l.example/% see mailto:m@n.example\n",
  refused: "http://[o/ http://p.example:99999/% mailto:q\n",
  nul: "\0",
} as const;

/** The web archive in the place of this filler is the content of one record. */
const ARCHIVE = "archive";

type Filler = keyof typeof FILLERS | typeof ARCHIVE;

/** A filler that is put into a text. */
export interface Filling {
  /** Where, as a share of the length; it is put at the next start of a line if `atLine`. */
  readonly share: number;
  readonly atLine: boolean;
  readonly filler: Filler;
  readonly bytes: number;
}

const MIB = 1 << 20;

function fillerBytes(filler: Filler, bytes: number): Buffer {
  if (filler === ARCHIVE) {
    const content = fillerBytes("records", bytes);
    const head = `WARC/1.0\r\nWARC-Type: resource\r\nContent-Type: text/plain\r\nContent-Length: ${content.length}\r\n\r\n`;
    return Buffer.concat([Buffer.from(head), content, Buffer.from("\r\n\r\n")]);
  }
  const unit = FILLERS[filler];
  if (!unit.includes("%")) return Buffer.alloc(bytes - (bytes % unit.length), unit);
  const units: string[] = [];
  for (let [length, number] = [0, 0]; length < bytes; number++) {
    const one = unit.replaceAll("%", String(number));
    units.push(one);
    length += one.length;
  }
  return Buffer.from(units.join(""));
}

/** Returns a text with fillers. */
export function filled(bytes: Buffer, fillings: readonly Filling[]): Buffer {
  const cuts = fillings.map(({ share, atLine, filler, bytes: length }) => {
    const at = Math.floor(share * bytes.length);
    return { at: atLine ? bytes.indexOf("\n", at) + 1 || bytes.length : at, put: fillerBytes(filler, length) };
  });
  const parts: Buffer[] = [];
  let from = 0;
  for (const { at, put } of cuts.sort((a, b) => a.at - b.at)) {
    parts.push(bytes.subarray(from, at), put);
    from = at;
  }
  return Buffer.concat([...parts, bytes.subarray(from)]);
}

const filling: fc.Arbitrary<Filling> = fc.record({
  share: shareToEnd,
  atLine: fc.boolean(),
  filler: fc.constantFrom(...(Object.keys(FILLERS) as (keyof typeof FILLERS)[]), ARCHIVE),
  bytes: fc.oneof(fc.noBias(fc.integer({ min: 1, max: 2 * MIB })), fc.noBias(fc.integer({ min: 1 << 10, max: 1 << 19 }))),
});

/** Fillings of a text, some of them larger than a window. */
export const fillings: fc.Arbitrary<Filling[]> = fc.array(filling, { minLength: 1, maxLength: 3 });
