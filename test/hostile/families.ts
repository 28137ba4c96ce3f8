// Hostile texts (X14): units that are repeated to any size, for the tests and bench/hostile-speed.ts. A scan of each must take linear time.

/** Unit, and what comes once after all of them. */
export const FAMILIES: readonly (readonly [name: string, unit: string, tail?: string])[] = [
  ["URLs that end in many []", `http://a/x${"[]".repeat(8000)} `],
  ["colons", ":"],
  ["colons and <", ":<"],
  ["colons after signs", "+:"],
  ["colons after digits", "1:."],
  ["colons before spaces", "a:  "],
  ["openers of delimited URLs", "<"],
  ["round brackets", "("],
  ["square brackets", "["],
  ["http://", "http://"],
  ["marks of defanged text", "[.]"],
  ["marks of defanged text after hosts", "http://a[.]"],
  ["delimited URLs that never close", "<URL:http://a"],
  ["delimited URLs of two words", "<URL:a b "],
  ["delimited URLs without URL: that never close", "<http://a\n"],
  ["delimited URLs with spaces", "< ", ">"],
  ["percent signs", "%"],
  ["closers after matches", "http://a)"],
  ["mid:", "mid:"],
  ["mailto:a@", "mailto:a@"],
  ["mailto:a@(", "mailto:a@("],
  ["mailto and commas", "mailto:a@b,"],
  ["news:a(", "news:a("],
  ["news groups of one part", "news:a "],
  ["open references", "&#0"],
  ["references", "http://a/&amp;amp;"],
  ["ampersands in a path", "&amp;"],
  ["quotes before schemes", "'http://a"],
  ["commas before schemes", ",http://"],
  ["userinfo without end", "http://a@"],
  ["at signs", "@"],
  ["schemes after other characters", "http://a/\u3060"],
  ["schemes after hosts of other characters", "\u3060http://\u3060"],
  ["names before text", "http://a.com\u3060,"],
  ["names in labels before text", `http://${"a.com\u3060.".repeat(1800)} `],
  ["text behind a name", `http://a.com${"\u3060".repeat(5000)} `],
  ["at signs in an authority", `http://${"a@".repeat(8000)} `],
  ["authorities of at signs", `${"http://@@@@".repeat(1450)} `],
  ["userinfo of separators", `${"http://a,;|@".repeat(1300)} `],
  ["open IP literals", "http://["],
  ["IP literals", "http://[::1]"],
  ["ports without digits", "http://a:"],
  ["ports and colons", "http://a:80:"],
  // Many unbroken runs: of one alone only the first urlBytesMax bytes cost anything.
  ["stretches of ports without digits", `${"http://a:".repeat(1777)} `],
  ["stretches of userinfo without end", `${"http://a@".repeat(1777)} `],
  ["stretches of marks", `${"http://a*".repeat(1600)} `],
  ["runs of scheme characters", "x-"],
  ["marks of emphasis", "*_"],
  ["marks after matches", "*http://a*"],
  ["joiners", "\u200d"],
  ["joiners in a path", "http://a/\u200d\u200d"],
  ["URL: runs", "URL:"],
  ["URL: and white space", "URL: \n"],
  ["dots and hosts", "http://."],
  ["full stops", "."],
  ["line breaks", "\r\n"],
  ["quote marks", "> "],
  ["quote marks and delimited URLs", "> <http://a\n"],
  ["NUL bytes", "\0"],
  ["urn namespaces", "urn:a-"],
  ["letters", "a"],
  ["openers and mid:", "<mid:"],
  ["opaque delimited URLs that never close", "<mid:a@b\n"],
  ["openers and mailto:", "<mailto:"],
  ["text in brackets that never close", "news:<a@b"],
  ["text in brackets without a shape", "mid:<a>"],
  ["hosts and commas", "http://a,"],
  ["commas before two schemes", "http://a;ftp://"],
  ["labels that never close", "<http://a|b"],
  ["bars", "|mid:"],
  ["bars and matches", "|http://a/"],
  ["rulers", "http://a/----"],
  ["short runs of marks", "==http://a/=-==="],
  ["closing tags", "[/aaaaaaaaaaaaaaaa"],
  ["open brackets", "http://a/(b"],
  ["short runs of open brackets", `${"http://a/(".repeat(6)} `],
  ["opaque candidates and open brackets", "mid:(x@"],
  ["short runs of opaque candidates", `${"mid:x(".repeat(12)} `],
  ["brackets before schemes", "http://a/[http://a/]("],
  ["urn:aa:b", "urn:aa:b "],
  ["numbers without a context", `${"tel:1;".repeat(2700)} `],
  ["numbers of separators", `${"tel:1(.-".repeat(2000)} `],
  ["numbers before a context", `${"tel:1;x".repeat(2000)};phone-context= `],
  ["addresses without hosts", "mailto:-@"],
  ["mailto without @", "mailto:x"],
  ["mailto and question marks", "mailto:x?"],
  ["brackets in candidates", "mid:("],
  ["triplets", "http://%4"],
  ["upper case", "HTTP://A"],
  ["dot segments", "/../"],
  ["words that are no schemes", "http: "],
  ["candidates in brackets that close", `${"(mid:".repeat(2700)}${")".repeat(2700)} `],
  ["candidates before an empty fragment", `${"mid:".repeat(4000)}# `],
  ["candidates in emphasis", `${"*mid:".repeat(3000)}x* `],
];

/** With the option `refang` (X15). */
export const DEFANGED: readonly string[] = [
  "[.]",
  "a[.]",
  "[[[[",
  "hxxp:hxxp:",
  "hxxp://",
  "hxxp[:]//",
  "[:]//",
  "meow:\\\\",
  "a[at",
  "a[dot]a(.)",
  "(",
  "hxxp://a[.]",
];

const BROKEN_LINE = "http://a/".padEnd(76, "b");

/** With the option `guess` (X8). */
export const BROKEN_LINES: readonly (readonly [name: string, unit: string])[] = [
  ["lines that all go on", `${BROKEN_LINE}\n${"c/".padEnd(76, "d")}\n`],
  ["lines that begin a new URL", `${BROKEN_LINE}\n`],
  ["a long word after a line", `${BROKEN_LINE}\n${"c/".repeat(8000)}\n`],
  ["a word that is too long after a line", `${BROKEN_LINE}\n${"c/".repeat(12_000)}\n`],
  ["spaces where quote marks are looked for", `>${BROKEN_LINE}\n${" ".repeat(10_000)}`],
  ["quote marks without end", `${"> ".repeat(12)}${BROKEN_LINE.slice(24)}\n${">".repeat(2000)}\n`],
  ["values that are not closed", `="http://a/\n${"c".repeat(4000)}\n${"d".repeat(4000)}\n${"e".repeat(4000)}\n`],
  ["values whose lines are values", `='http://a/="http://b/\n`],
  ["brackets over a break", `${BROKEN_LINE.slice(20)}${"(".repeat(20)}\n${")".repeat(20)}/x\n`],
];

const CUT_LINE = "https://www.google.com/url?q=http://a/".padEnd(76, "b");

/** With the option `unwrap` (C142). */
export const CUT_LINES: readonly (readonly [name: string, unit: string])[] = [
  ...BROKEN_LINES.map(([name, unit]) => [name, unit.replaceAll(BROKEN_LINE, CUT_LINE)] as const),
  ["values", '="https://www.google.com/url?q=a\nb">\n'],
  ["beginnings of paths", `${"https://secure-web.cisco.com/".padEnd(76, "b")}\nc/d\n`],
];

/** Units of schemeless text (X10). */
export const SCHEMELESS: readonly string[] = [
  "a.b,",
  "a+",
  "a.b/(",
  "www.a.b/(",
  "a@b.c:",
  "@",
  ".",
  "a@",
  "x@-",
  "a.com,",
  "a.com/(",
  "a.com:1(",
]
  .concat(["a.b@", "a.c+:/", "a.com\u3060", "a@b.com\u3060", "<www.a.b\n", "<a@b.c ", "\u00e9."])
  .concat(["1.1.1.1:", "1.1.1.1/(", "1.1.1.1?", "1.1.1.1/1,", "1.1.1.1:1.", "[::1]:", "[::1]/("])
  .concat(["a%", "a%x@", "<a%", "a%x@b.c%", "%"])
  .concat(["[", "\nReceived: 1.1.1.1/a", " 1.1.1.1/a", "1.b:80/(="])
  .concat(["a'", "a'b.c'd@e.f'", "<a!b@c.d", "\nMessage-ID: <a@b.c", "\n <a@b.c>"])
  // Schemeless text may start at each byte of the word.
  .concat([`${"\u00e9".repeat(8000)}.a `]);
/** URLs with unknown schemes (X1 c), with schemeless text and without. */
export const UNKNOWN: readonly string[] = ["a+a://", "aa://", "a.a://(", "1+://", "aa://-"];
/** Here each name is another question to the list of public suffixes, which TypeScript answers. */
export const ASKED: readonly string[] = ["a.com ", "a.b ", "<a.com "];
/** A field that holds no addresses, with many of them (C98). */
export const LONG_RECEIVED = `Received: ${"1.1.1.1/(=".repeat(1600)}\n`;
/** Words of many such names: with a scheme after them all, and with punctuation that may go off each (C56, C60). */
export const LONG_NAMES: readonly string[] = [
  `${"a.com+".repeat(2700)} `,
  `${"a.com+".repeat(2700)}://a `,
  `${"a.com+".repeat(2700)}:\\/\\/a `,
  `${"a.com..?(".repeat(1800)} `,
  `${"a.com-?&".repeat(2000)} `,
];

/**
 * Inside a URL of 16 KiB with the option `nested` (X11): what stands there is scanned again, to a depth of four, twice where it is
 * percent-encoded, and every match that is found is a row of its own.
 */
export const NESTED: readonly string[] = [
  "http://a/?",
  "%3C:",
  "%3A",
  "a%3A",
  "http%3A//a,",
  "mid:",
  "mid%3A",
  "mid%3Amid:",
  "urn:",
  "&:",
].concat(["mailto%3Aa@(", "http:%2F%2Fa(", "http%3A//a/%20", "'http%3A", "%2527", "news%3Aa("]);

/** Inputs that are no repetition: a head, a body of the wanted size made of two halves, a tail. */
export const SHAPES: readonly (readonly [name: string, first: string, second: string])[] = [
  ["brackets opened, then closed", "(", ")"],
  ["one match and closers", "http://a/(", ")"],
  ["path, then full stops", "x", "."],
  ["host, then hyphens", "a", "-"],
  ["marks, then marks", "*", "*"],
  ["delimited URL, then spaces", "a", " "],
];

/** Units of HTML (X9). */
export const PAGES: readonly (readonly [name: string, unit: string, head?: string])[] = [
  ["ampersands", "&"],
  ["openers of tags", "<"],
  ["tags", "<a>"],
  ["start tags that never end", "<a "],
  ["values that never end", '<a href="'],
  ["values and tags", "<a b='"],
  ["attributes", "b=c ", "<a "],
  ["equals signs", "=", "<a "],
  ["quotes", '"', "<a "],
  ["comments that never end", "<!--"],
  ["dashes", "-", "<!--"],
  ["almost ends of comments", "--!", "<!--"],
  ["declarations", "<!"],
  ["end tags", "</"],
  ["ends of scripts", "</scrip", "<script>"],
  ["scripts", "<script>"],
  ["scripts in escaped text", "<script>", "<script><!--"],
  ["hyphens in escaped text", "--<", "<script><!--"],
  ["almost ends of titles", "</titl>", "<title>"],
  ["tags in svg", "<c1>", "<svg>"],
  ["svg in svg", "<svg>"],
  ["almost ends of CDATA", "]]", "<svg><![CDATA["],
  ["numbers without digits", "&#"],
  ["numbers", "&#6"],
  ["zeros", "0", "&#"],
  ["legacy names", "&amp"],
  ["names", "&lt;"],
  ["unknown names", "&aa;"],
  ["almost names", "&notAAAA"],
  ["two characters of a name", "&nGt;"],
  ["letters after an ampersand", "a", "&"],
  ["delimited URLs", "&lt;http://a"],
  ["openers and schemes", "<http:"],
  ["references in matches", "http://a/&amp;lt;"],
  ["references in attributes", "http://a/&amp;lt; ", '<a href="'],
  ["cid: in an attribute", "cid:a ", '<a href="'],
  ["cid: in text", "cid:a "],
  ["bytes of regions", "\u0001\u0002"],
  ["values that are URLs", '<a href="http://a/ b">'],
  ["short values of URL attributes", "src=a ", "<a "],
  ["URLs that never close", "x ", '<a href="http://a/'],
  ["line breaks in a URL", "\n", '<a href="http://a/'],
  ["backslashes in URLs", "\\\\a", '<a href="http:'],
  ["spaces before a URL", " ", '<a href="'],
  ["values that are almost URLs", "<a href='http://a.b\\\n x=' x>"],
  ["almost URLs of 16 KiB", `<a href='http://a/${"\n".repeat(16_000)} >'>`],
  ["tokens of a list", "a ", '<img srcset="'],
  ["white space of a list", " ", '<img srcset="'],
  ["commas of a list", ",", '<img srcset="'],
  ["refreshes", "<meta content='0;url=\"http://a'>"],
  ["URLs between values", "http://a ", "<a "],
];

/** `size` bytes of a unit, with `tail` at their end. */
export function repeated(unit: string, size: number, tail = ""): Uint8Array {
  const bytes = Buffer.alloc(size, unit);
  bytes.write(tail, size - Buffer.byteLength(tail));
  return bytes;
}

/** A delimited URL that holds `size` bytes, one half of each. */
export function shapeOf(first: string, second: string, size: number): Uint8Array {
  return Buffer.concat([Buffer.from("<URL:http://a/"), Buffer.alloc(size / 2, first), Buffer.alloc(size / 2, second)]);
}

/** Returns the head, then a unit of HTML up to `size` bytes. */
export function pageOf(head: string, unit: string, size: number): Uint8Array {
  return Buffer.concat([Buffer.from(head), Buffer.alloc(size - head.length, unit)]);
}

/** `size` bytes of URLs of 16 KB that hold a unit. */
export function insideUrl(unit: string, size: number): Uint8Array {
  return Buffer.alloc(size, Buffer.concat([Buffer.from("http://a/?"), Buffer.alloc(16_000, unit), Buffer.from(" ")]));
}

/** Text with percent-encoded URLs, with the option `nested` (C146). */
export const ENCODED: readonly string[] = [
  "http%3A%2F%2F",
  "%3A",
  "a%3A%2F%2F",
  "%3",
  "http%3A//a/%20",
  "http%3A//a(",
  "(http://http%3A%2F%2F%2F",
  "http%3A//:http:\\/\\/",
  `${"http%3A%2F%2F".repeat(1250)} `,
  `${"http%3A//a:99999/".repeat(900)} `,
  `${"http%3A//a%29".repeat(1200)} `,
  `http%3A//${"%40".repeat(5000)} `,
  `${"(".repeat(8000)}http%3A//a/${"(".repeat(8000)}`,
];

/** Text with the escapes of JSON (X16). */
export const ESCAPED: readonly string[] = [
  "http:\\/\\/",
  `${"http:\\/\\/a)".repeat(1200)} `,
  `${"http:\\/\\/a:99999".repeat(850)} `,
  "\\/",
  `http:${"\\/".repeat(8000)} `,
  ',"http://a\\/',
  `,"http://a${"\\u0026".repeat(2700)}"`,
];
