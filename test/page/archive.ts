// An archive of made-up mail that has something for every part of a report.

const WORDS = "mill rye oats wheat stone barley river weir sluice grain flour hopper sieve sail wind cap post tower".split(" ");
const HOSTS = WORDS.flatMap((word) => [`www.${word}.example.org`, `${word}.example.net`]);
const SENDERS = ["ada@mill.example", "ben@rye.example.org", "cleo@oats.example.net"];
const LISTS = ["millers.lists.example.org", "stones.lists.example.org"];
const DAY_MS = 86_400_000;

/** URLs with flags, redirectors, and candidates that are rejected. */
const RARE = [
  "http://www.bank.example.com@3221225479/login",
  "ftp://ben:rye-secret@ftp.mill.example/pub/",
  "http://www.mill.example:8080/status",
  "http://mill.example.org/x%0D%0ASet-Cookie:1",
  "http://192.0.2.7/",
  "http://xn--mhle-0ra.example/",
  "https://urldefense.com/v3/__http://rye.example.org/offer__;!!x",
  "https://www.google.com/url?q=http://stone.example.org/stone",
  "http://-bad-.example/ and http:///nothing",
  "http://www.mill.example:99999/",
];

/** Returns an mbox of `count` messages, one about every nine days from 1995 on; the last one has no date. */
export function archiveText(count: number): string {
  return Array.from({ length: count }, (_, index) => messageText(index, index === count - 1)).join("");
}

function messageText(index: number, isUndated: boolean): string {
  const date = new Date(Date.UTC(1995, 0, 3) + index * 9 * DAY_MS);
  const of = <T>(list: readonly T[], step: number): T => list[Math.floor(index / step) % list.length] as T;
  const links = Array.from({ length: 1 + (index % 4) }, (_, at) => {
    const host = HOSTS[Math.floor((index * 7 + at * at) / 3) % (1 + (index % HOSTS.length))] as string;
    return `${host.startsWith("river") ? "ftp" : index % 3 === 0 ? "https" : "http"}://${host}/page/${(index * 3 + at) % 40}.html`;
  });
  const fields = [
    `From: Someone <${of(SENDERS, 2)}>`,
    `Subject: Stones of ${date.getUTCFullYear()}`,
    ...(isUndated ? [] : [`Date: ${date.toUTCString().replace("GMT", "+0000")}`]),
    `Message-ID: <${index}.stones@mill.example>`,
    `List-Id: <${of(LISTS, 5)}>`,
  ];
  return `From someone@mill.example Tue Jan  3 10:11:12 1995\n${fields.join("\n")}\n\nSee ${links.join("\nand ")}\nor ${of(RARE, 1)} .\n\n`;
}
