// An archive of made-up mail of 1995 to 2004 that has something for every part of a report.

const WORDS = "mill rye oats wheat stone barley river weir sluice grain flour hopper sieve sail wind cap post tower".split(" ");
const HOSTS = WORDS.flatMap((word) => [`www.${word}.example.org`, `${word}.example.net`]);
const SENDERS = "ada ben cleo dora emil fay gus hedy ivo jo".split(" ").map((name, index) => `${name}@${HOSTS[2 * index + 1]}`);
const LISTS = ["millers.lists.example.org", "stones.lists.example.org", "bakers.lists.example.net"];
const [START, END] = [Date.UTC(1995, 0, 3), Date.UTC(2004, 10, 20)];
const DAY_MS = 86_400_000;

/** URLs with flags, redirectors, and candidates that are rejected. */
const RARE = [
  "http://www.bank.example.com@3221225479/login",
  "ftp://ben:rye-secret@ftp.mill.example.org/pub/",
  "http://www.mill.example.org:8080/status",
  "http://mill.example.org/x%0D%0ASet-Cookie:1",
  "http://192.0.2.7/",
  "http://xn--mhle-0ra.example/",
  "https://urldefense.com/v3/__http://rye.example.net/offer__;!!x",
  "https://www.google.com/url?q=http://stone.example.net/stone",
  "http://-bad-.example/ and http:///nothing",
  "http://www.mill.example.org:99999/",
];
/** Every so many messages have one of these. */
const RARE_APART = 8;

/** Returns an mbox of `count` messages; the last one has no date. The same count gives the same messages. */
export function archiveText(count: number): string {
  let state = 17;
  const random = (): number => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
  return Array.from({ length: count }, (_, index) => messageText(index, index / count, index === count - 1, random)).join("");
}

/** Returns a message; `part`: its place in the archive, from 0 to 1. Most are written in the middle years, and most links are few. */
function messageText(index: number, part: number, isUndated: boolean, random: () => number): string {
  const of = <T>(list: readonly T[]): T => list[Math.floor(random() ** 2.5 * list.length)] as T;
  const time = START + (part + (0.75 * Math.sin(2 * Math.PI * part)) / (2 * Math.PI)) * (END - START) + random() * 12 * DAY_MS;
  const date = new Date(Math.floor(time / 1000) * 1000);
  const secure = Math.max(0, part - 0.35);
  const links = Array.from({ length: 1 + Math.floor(random() ** 2 * 5) }, () => {
    const scheme = random() < secure ? "https" : random() < 0.12 * (1 - part) ? (random() < 0.7 ? "ftp" : "gopher") : "http";
    return `${scheme}://${of(HOSTS)}/${of(WORDS)}/${Math.floor(random() ** 2 * 60)}.html`;
  });
  if (index % RARE_APART === 0) links.push(RARE[(index / RARE_APART) % RARE.length] as string);
  const fields = [
    `From: Someone <${of(SENDERS)}>`,
    `Subject: Stones of ${date.getUTCFullYear()}`,
    ...(isUndated ? [] : [`Date: ${date.toUTCString().replace("GMT", "+0000")}`]),
    `Message-ID: <${index}.stones@mill.example.org>`,
    `List-Id: <${of(LISTS)}>`,
  ];
  return `From someone@mill.example.org Tue Jan  3 10:11:12 1995\n${fields.join("\n")}\n\nSee ${links.join(" ,\nand ")} .\n\n`;
}
