// JSON for the property tests (A16): values of texts with URLs, written with any escapes, in lines or in one, and with mistakes.
import fc from "fast-check";
import { schemelessTexts, texts } from "./pieces.ts";

const latin1 = (bytes: Buffer): string => bytes.toString("latin1");
const SHORT: Record<string, string> = {
  "/": "\\/",
  '"': '\\"',
  "\\": "\\\\",
  "\n": "\\n",
  "\r": "\\r",
  "\t": "\\t",
  "\b": "\\b",
  "\f": "\\f",
};
const NAMES = [
  "",
  "a",
  "url",
  "a\u00e9",
  "\u{1f600}",
  "\0\x01\x03\x04",
  "http://n.example/",
  "x y",
  "n".repeat(127),
  `${"n".repeat(127)}\u00e9`,
];
const LONG_NAMES = ["\u20ac".repeat(50), "\x80".repeat(200), "o".repeat(300), `${"p".repeat(126)}\u{1f600}`];
const MISTAKES = [
  "&amp;",
  "\\u0026amp;",
  "&#58;//",
  "&quot;",
  "&#x2f",
  "&am",
  "amp;",
  "\\u0026#x2F;",
  "<b>m",
  '"',
  '\\"',
  "\\",
  "\\u",
  "\\u00",
  "\\ud83d",
  "\\ude00",
  "\\u0000",
  "\\U0026",
  "\\x",
  "\\/",
  "{",
  "}",
  "[",
  "]",
  ",",
  ":",
]
  .concat([
    "\n",
    "\r\n",
    "\x03",
    "\x01",
    "\0",
    " ",
    '":"',
    '","',
    "http:\\/\\/m.example\\/",
    "http\\u003a//",
    "\\u002f",
    "\u00a0",
    "}\n{",
    "null",
  ])
  .concat(["[".repeat(70), "]".repeat(70), '{"d":'.repeat(70), '"'.repeat(3)]);

/** One character of a string: as it is, by its short escape, or by its number, as `way` says. */
function written(character: string, way: number): string {
  const short = SHORT[character];
  const isBarred = character < " " || character === '"' || character === "\\";
  if (short !== undefined && (way < 6 || (isBarred && way < 14))) return short;
  if (!isBarred && way < 14) return character;
  const units = Array.from({ length: character.length }, (_, at) => character.charCodeAt(at).toString(16).padStart(4, "0"));
  return units.map((unit) => `\\u${way % 2 === 0 ? unit : unit.toUpperCase()}`).join("");
}

/** A string of JSON with these bytes in it, as a byte string. Bytes that are not UTF-8 stay as they are. */
function stringOf(bytes: string, ways: readonly number[]): string {
  const text = Buffer.from(bytes, "latin1").toString();
  const isText = latin1(Buffer.from(text)) === bytes;
  const characters = isText ? Array.from(text) : Array.from(bytes);
  const one = (character: string, index: number): string => {
    const form = written(character, ways.length === 0 ? 10 : (ways[index % ways.length] ?? 10));
    return isText ? latin1(Buffer.from(form)) : /[^\x20-\x7e]/.test(character) ? character : form;
  };
  return `"${characters.map(one).join("")}"`;
}

const ways = fc.oneof(
  { weight: 3, arbitrary: fc.constant([]) },
  { weight: 2, arbitrary: fc.array(fc.nat(15), { minLength: 1, maxLength: 7 }) },
);
const names = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...NAMES).map((name) => latin1(Buffer.from(name))) },
  { weight: 1, arbitrary: fc.constantFrom(...LONG_NAMES).map((name) => latin1(Buffer.from(name))) },
  { weight: 1, arbitrary: fc.constant("\xe2\x82".repeat(70)) },
);
const gaps = fc.constantFrom("", "", " ", "\n", "\r\n\t", "\n  ");
const strings = fc
  .tuple(fc.oneof(texts(4).map(latin1), schemelessTexts(3).map(latin1), names), ways)
  .map(([bytes, chosen]) => stringOf(bytes, chosen));
const scalars = fc.constantFrom("1", "-2.5e3", "true", "false", "null", "0");

/** Any value of JSON, as a byte string. */
const { value } = fc.letrec<{ value: string }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, depthSize: "small" },
    { weight: 5, arbitrary: strings },
    { weight: 1, arbitrary: scalars },
    {
      weight: 4,
      arbitrary: fc
        .tuple(gaps, fc.array(fc.tuple(names, ways, tie("value")), { maxLength: 4 }))
        .map(
          ([gap, members]) =>
            `{${gap}${members.map(([name, chosen, one]) => `${stringOf(name, chosen)}${gap}:${gap}${one}`).join(`${gap},`)}}`,
        ),
    },
    {
      weight: 2,
      arbitrary: fc.tuple(gaps, fc.array(tie("value"), { maxLength: 4 })).map(([gap, list]) => `[${list.join(`${gap},${gap}`)}${gap}]`),
    },
  ),
}));

const mistake = fc.tuple(fc.nat(), fc.nat(3), fc.constantFrom(...MISTAKES));

function withMistake(text: string, [place, length, piece]: [number, number, string]): string {
  const at = text.length === 0 ? 0 : place % text.length;
  return text.slice(0, at) + latin1(Buffer.from(piece)) + text.slice(at + length);
}

/** JSON of up to `most` values, each in a line of its own, half of it with mistakes. */
export function jsonTexts(most: number): fc.Arbitrary<Buffer> {
  const mistakes = fc.oneof(fc.constant([]), fc.array(mistake, { minLength: 1, maxLength: 5 }));
  return fc
    .tuple(fc.array(value, { maxLength: most }), fc.constantFrom("\n", "\r\n", "", ","), mistakes)
    .map(([values, between, made]) => Buffer.from(made.reduce(withMistake, values.join(between)), "latin1"));
}
