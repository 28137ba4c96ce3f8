// Hard-wrapped text for the property tests (X8): lines of about the lengths that the rule names, URLs at their ends, words after them.
import fc from "fast-check";

const MARKS = ["", "", "", "> ", ">", "> > ", " >> ", ">>> "];
const BREAKS = ["\n", "\n", "\r\n", "\r\n", "\r", "\n\n", " \n", "\n ", "\n  ", "\n   ", "\n\t", "="];
const BEFORE = ["", "", "See ", "(", "'", '"', "<", "*_", "x", "[a ", "mailto:a@b.example "];
const STARTS = [
  "http://a.example/",
  "HTTPS://a.example",
  "ftp://u:p@h:21/",
  "file:///x",
  "file:/x/",
  "news://h/",
  "x-y://h/?",
  "gopher://h/1",
  "https://www.google.com/url?q=",
  "http://google.com/u",
  "https://clicktime.symantec.com/",
  "https://secure-web.cisco.com/1E-",
  "http://a.example/?u=https://l.facebook.com/l.php?u=",
  "http://a.example/?u=http%3A%2F%2Fout.reddit.com/x%3F",
];
const PATHS = [
  "/",
  "a",
  "1",
  "-",
  "=",
  "&",
  "%",
  "%20",
  "?",
  "_",
  ".",
  ".html",
  "(",
  ")",
  "[",
  "]",
  "'",
  ",",
  ";",
  "&amp;",
  "&lt;",
  "&l",
  "t;",
  "*_",
];
const WORDS = [
  "and",
  "a/b",
  "and/or/",
  "a/b1",
  "a/b.",
  "/b",
  "7",
  "a.b",
  "a.bc",
  "x.html",
  "=1",
  "-a/b",
  "--",
  "www.a/b",
  "FTP.a/b",
  "t;/x",
  "~k/",
  "a@b/",
  "(see",
  "[/url]",
  "a:b/",
  "#a/b",
  "\u00e9/x",
].concat([
  "http://b/",
  ",http://b/",
  "a/b,http://c/",
  "a)/x",
  "a/b&lt;c",
  "\u200d/a",
  "a/b\u2026",
  "a/b=",
  "a/b*_",
  "a/b-",
  "x/y.",
  "",
  ">",
  "<a/b>",
  '"',
  "\0",
]);

const chosen = (pieces: readonly string[], maxLength: number): fc.Arbitrary<string> =>
  fc.array(fc.constantFrom(...pieces), { maxLength }).map((parts) => parts.join(""));

/** Lengths of lines around those that the rule names. */
const widths = fc.constantFrom(39, 40, 41, 59, 60, 61, 70, 72, 76, 79, 80, 81, 0);

/** Text made as long as `width` by letters between its parts. */
function filled(before: string, after: string, width: number): string {
  return before + "p".repeat(Math.max(0, width - Buffer.byteLength(before + after))) + after;
}

/** Mostly what may be joined, so that texts with several breaks have line-wrapped matches. */
const mostly = (good: readonly string[], any: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...good) }, { weight: 1, arbitrary: any });
const paths = mostly(["/", "/a", "/a/b-", "/c?d=e&f", "/%20"], chosen(PATHS, 4));
const words = mostly(["a/b", "x.html", "7", "/c=d&e", "-a/b?c", "k.tar.gz."], chosen([...WORDS, ...PATHS], 3));
const breaks = mostly(["\n", "\r\n"], fc.constantFrom(...BREAKS));
const sameMarks = mostly(["same"], fc.constantFrom(...MARKS));

const firstLines = fc
  .tuple(fc.constantFrom(...BEFORE), fc.constantFrom(...STARTS), paths, widths, fc.boolean())
  .map(([before, start, path, width, isLongUrl]) => {
    const words = "l ".repeat(Math.max(0, width - Buffer.byteLength(before + start + path)) >> 1);
    return isLongUrl ? filled(before + start, path, width) : `${words}${before}${start}${path}`;
  });
const nextLines = fc
  .tuple(words, widths, fc.constantFrom("", "", "", " and so on", ") x", "\t", '"'))
  .map(([word, width, behind]) => (width > 70 ? filled("w", word, width) : word) + behind);

/** A line with a URL at its end, and lines after it, all with quote marks. */
const paragraphs = fc
  .tuple(fc.constantFrom(...MARKS), firstLines, fc.array(fc.tuple(breaks, sameMarks, nextLines), { maxLength: 4 }))
  .map(([marks, first, rest]) => {
    const lines = rest.map(([gap, mark, line]) => gap + (mark === "same" ? marks : mark) + line);
    return `${marks}${first}${lines.join("")}\n`;
  });

const NAMES = ["href=", "href=", "<a href=", "src=", "=", "href= ", "href", "a = b "];
const VALUE_WORDS = [
  "a",
  "org",
  "/b",
  "s=1&t",
  "trans.",
  "x=",
  "-",
  "k-",
  "(",
  ")",
  "[",
  "a:b",
  "http://b/x",
  "=http://b/x",
  "www.a.b",
  "a b",
].concat(["", ",http://c/", "|", ".", "&lt;x", "\u00e9", "<b>", ">", "'", '"', "p".repeat(250)]);
const valueWords = mostly(["nal", "a/b", "gif", "1-2.html", "x-", "s=1", "jm@a.example."], chosen(VALUE_WORDS, 2));
const valueStarts = mostly(["http://a.example/", "http://a.example/x.", "http://a.example"], fc.constantFrom(...STARTS));

/** A value in quotation marks as in HTML, which may be broken over lines and end at a quotation mark (C141). */
const values = fc
  .tuple(
    fc.constantFrom(...MARKS, "w".repeat(250), "w".repeat(251)),
    fc.constantFrom(...NAMES),
    fc.constantFrom('"', '"', "'"),
    fc.tuple(valueStarts, fc.oneof(fc.constant(""), paths)),
    fc.array(fc.tuple(breaks, sameMarks, valueWords), { minLength: 1, maxLength: 5 }),
    fc.constantFrom("same", "same", "same", '"', "'", "", " x"),
  )
  .map(([marks, name, quote, first, rest, end]) => {
    const lines = rest.map(([gap, mark, word]) => gap + (mark === "same" ? marks : mark) + word);
    return `${marks}${name}${quote}${first.join("")}${lines.join("")}${end === "same" ? quote : end}>x\n`;
  });

/** Bytes of one to three paragraphs in which a URL may go on over line breaks. */
export const wrappedTexts: fc.Arbitrary<Buffer> = fc
  .array(fc.oneof({ weight: 2, arbitrary: paragraphs }, { weight: 1, arbitrary: values }), { minLength: 1, maxLength: 3 })
  .map((parts) => Buffer.from(parts.join("")));
