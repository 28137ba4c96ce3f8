// Generates text for benches without a corpus, and for the guard and the tests, which must not depend on one. The same kind, seed and size
// give the same bytes on every machine. URLs are as dense as in real text of each kind; the words are invented.

/** Kinds of text: list mail, HTML newsletters, an access log, one URL a line, mail without URLs. */
export const GENERATED_KINDS = ["mail", "html", "log", "urls", "none"] as const;
/** One of GENERATED_KINDS. */
export type GeneratedKind = (typeof GENERATED_KINDS)[number];

/** Random numbers that are the same everywhere: a 32-bit xorshift generator. */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = (seed ^ 0x9e3779b9) | 1;
  }

  /** Returns a whole number from 0 to `limit - 1`. */
  below(limit: number): number {
    let x = this.#state;
    x ^= x << 13;
    x ^= x >>> 17;
    x ^= x << 5;
    this.#state = x;
    return (x >>> 0) % limit;
  }

  /** Returns one of `choices`. */
  pick<T>(choices: readonly T[]): T {
    return choices[this.below(choices.length)] as T;
  }
}

const WORDS = (
  "the of and to in that is was for it with as on be at by this had not are but from or have an they which one you were all her she " +
  "there would their we him been has when who will no more if out so up said what its about than into them can only other time new " +
  "some could " +
  "server archive message list protocol client document question problem release version network address index patch kernel module value " +
  "however between something without another through because article reference standard implementation internet university directory"
).split(" ");
const HOSTS = (
  "www.example.com example.org ftp.example.net info.example.edu archive.example.com lists.example.org www.cs.example.edu " +
  "gopher.example.net mirror.example.co.uk News.Example.COM images.example.net click.mail.example.com " +
  "www.example.de cache-03.cdn.example.net 192.0.2.17 " +
  "docs.example.org:8080 www.example.com:80 web.example.ac.jp"
).split(" ");
const SEGMENTS = (
  "pub index.html archive 1994 papers rfc1738.txt images spacer.gif cgi-bin search.pl users ~smith README docs html linux kernel v2.4 " +
  "list-archives msg00042.html a%20b.txt %7Ejones newsletter item story.asp products default.htm"
).split(" ");
const NAMES = "alice bob carol dave erin frank grace heidi ivan judy mallory oscar peggy trent".split(" ");
const GROUPS = "comp.lang.c news.answers alt.hypertext comp.infosystems.www.misc sci.math rec.arts.books".split(" ");

function path(random: Random): string {
  let text = "";
  for (let n = random.below(5); n > 0; n--) text += `/${random.pick(SEGMENTS)}`;
  if (text === "" || random.below(5) === 0) text += "/";
  return text;
}

function query(random: Random, ampersand: string): string {
  let text = `?id=${random.below(100000)}`;
  for (let n = random.below(4); n > 0; n--) text += `${ampersand}${random.pick(WORDS)}=${random.below(9999).toString(16)}`;
  return text;
}

function webUrl(random: Random, ampersand: string): string {
  const scheme = random.pick(["http", "http", "http", "http", "http", "https", "https", "HTTP"]);
  const tail = random.below(4) === 0 ? query(random, ampersand) : random.below(30) === 0 ? `#${random.pick(WORDS)}` : "";
  return `${scheme}://${random.pick(HOSTS)}${random.below(6) === 0 && tail === "" ? "" : path(random) + tail}`;
}

function url(random: Random): string {
  const turn = random.below(100);
  if (turn < 78) return webUrl(random, "&");
  if (turn < 88) return `ftp://${random.below(20) === 0 ? "anonymous@" : ""}${random.pick(HOSTS)}${path(random)}`;
  if (turn < 93) return `mailto:${random.pick(NAMES)}@Example.org`;
  if (turn < 95) return `news:${random.pick(GROUPS)}`;
  if (turn < 97) return `gopher://gopher.example.edu/1${path(random)}`;
  return `telnet://${random.pick(HOSTS).replace(/:\d+$/, "")}`;
}

function inText(random: Random): string {
  const turn = random.below(20);
  const found = url(random);
  if (turn < 9) return found;
  if (turn < 12) return `<${found}>`;
  if (turn < 14) return `<URL:${found}>`;
  if (turn < 16) return `(${found})`;
  if (turn < 18) return `${found}.`;
  if (turn === 18) return `"${found}",`;
  return `<URL:${found}/${random.pick(SEGMENTS)}\n   ${random.pick(SEGMENTS)}>`;
}

/** Returns a line of words of at most 72 columns, sometimes with a quote mark. */
function line(random: Random): string {
  let text = random.below(6) === 0 ? "> " : "";
  const columns = 30 + random.below(42);
  while (text.length < columns) text += `${random.pick(WORDS)} `;
  if (random.below(4) === 0) text = `${text.trimEnd()}${random.pick([".", ":", ",", ";", "?"])}`;
  return text;
}

function mailHead(random: Random): string {
  const [from, to] = [random.pick(NAMES), random.pick(NAMES)];
  const time = `${10 + random.below(14)}:${10 + random.below(50)}:${10 + random.below(50)}`;
  const date = `Mon, ${1 + random.below(28)} Mar 1994 ${time} +0000`;
  return (
    `From ${from}@example.com Mon Mar 28 ${time} 1994\n` +
    `Received: from mail.example.com (mail.example.com [192.0.2.${random.below(255)}])\n` +
    `\tby lists.example.org (8.6.4/8.6.4) id AA${random.below(99999)}; ${date}\nDate: ${date}\nFrom: ${from}@example.com (${from})\n` +
    `To: ${to}@example.org\nSubject: Re: ${line(random)}\nMessage-Id: <${random.below(1e9)}.AA${random.below(99999)}@example.com>\n\n`
  );
}

function mail(random: Random, urls: boolean): string {
  let text = mailHead(random);
  for (let n = 12 + random.below(40); n > 0; n--) {
    text += `${line(random)}\n`;
    if (urls && random.below(16) === 0) text += `${line(random)} ${inText(random)} ${random.pick(WORDS)}\n`;
    if (random.below(9) === 0) text += "\n";
  }
  return `${text}-- \n${random.pick(NAMES)}, phone: +1 555 01${10 + random.below(89)}\n\n`;
}

function html(random: Random): string {
  const cell = `<td align="left" width=${random.below(600)}><font face="arial,helvetica" size="-1">`;
  const anchor = `<a href="${webUrl(random, "&amp;")}" target="_blank">${random.pick(WORDS)} ${random.pick(WORDS)}</a>`;
  const image = random.below(2) === 0 ? `<img src="${webUrl(random, "&")}" width=1 height=1 border=0>` : "";
  return `<tr>${cell}${anchor}${image}&nbsp;${line(random)}</font></td></tr>\n`;
}

function log(random: Random): string {
  const host = `192.0.2.${random.below(255)}`;
  const time = `28/Mar/2004:${10 + random.below(14)}:${10 + random.below(50)}:${10 + random.below(50)} +0000`;
  const referrer = random.below(5) === 0 ? "-" : webUrl(random, "&");
  const request = `GET ${path(random)}${random.below(3) === 0 ? query(random, "&") : ""} HTTP/1.1`;
  return `${host} - - [${time}] "${request}" 200 ${random.below(99999)} "${referrer}" "Mozilla/4.0 (compatible; X11; en)"\n`;
}

const MAKERS: Record<GeneratedKind, (random: Random) => string> = {
  mail: (random) => mail(random, true),
  html,
  log,
  urls: (random) => `${url(random)}\n`,
  none: (random) => mail(random, false),
};

/** Returns `size` bytes of ASCII text of a kind. */
export function generate(kind: GeneratedKind, seed: number, size: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(size);
  const random = new Random(seed);
  const buffer = Buffer.from(bytes.buffer);
  for (let at = 0; at < size; ) at += buffer.write(MAKERS[kind](random), at, "latin1");
  return bytes;
}
