// Filters leave out what a look at the records would leave out, for any way of reading, and say what they could not judge.
import { describe, expect, it } from "vitest";
import { type ExtractOptions, ExtractStream, extract, type MatchJson } from "../../src/index.ts";
import { hostName } from "../../src/options/filter-values.ts";

const MAIL = Array.from({ length: 40 }, (_, index) =>
  [
    "From a@b.example Mon Jan  5 10:00:00 1998",
    ...(index % 7 === 3 ? [] : [`Date: Mon, ${1 + (index % 28)} ${["Jan", "Feb", "Mar"][index % 3]} ${1998 + (index % 4)} 10:00:00 +0100`]),
    `From: "J ${index}" <Joe${index % 3}@${["a", "b.a", "c"][index % 3]}.example>`,
    `X-N: ${index}`,
    `Subject: http://s${index % 2}.example/`,
    "",
    `http://h${index % 5}.example/p?x=${index} https://user:pw@www.h1.example:8080/ <URL:ftp://f.example/a`,
    " b> mailto:joe@a.example news:comp.x",
    `http://www.google.com/url?q=http%3A%2F%2Ft${index % 2}.example%2F`,
    `> http://q.example/ and http://b\u00fccher.example/`,
    "",
  ].join("\n"),
).join("\n");
const MAILBOX = `${MAIL}\n`;

function recordsOf(options: ExtractOptions): MatchJson[] {
  return [...extract(MAILBOX, { type: "mbox", ...options })].map((match) => match.toJSON());
}

const isBelow = (host: string | null, domain: string): boolean => host === domain || host?.endsWith(`.${domain}`) === true;
const isWithin = (host: string | null): boolean => isBelow(host, "example") && !isBelow(host, "h1.example") && host !== "f.example";
const address = (record: MatchJson): string => /<(.*)>/.exec(record.from ?? "")?.[1]?.toLowerCase() ?? "";

const FILTERS: readonly (readonly [ExtractOptions, (record: MatchJson) => boolean])[] = [
  [{ hosts: ["h1.example", "f.example"] }, ({ host }) => host === "h1.example" || host === "f.example"],
  [{ hosts: ["*.h1.example"] }, ({ host }) => host === "www.h1.example"],
  [{ hosts: ["B\u00fccher.example"] }, ({ host }) => host === "xn--bcher-kva.example"],
  [{ notHosts: ["h1.example", "*.h1.example"] }, ({ host }) => !isBelow(host, "h1.example")],
  [{ domains: ["h1.example"] }, ({ host }) => isBelow(host, "h1.example")],
  [{ notDomains: ["h1.example", "c.example", "d.example"] }, ({ host }) => !isBelow(host, "h1.example")],
  [{ domains: ["example"], notDomains: ["h1.example"], notHosts: ["f.example"] }, ({ host }) => isWithin(host)],
  [{ match: "^ftp:|x=1[0-9]$" }, ({ url }) => /^ftp:|x=1[0-9]$/.test(url ?? "")],
  [{ match: ["^ftp:", "x=1[0-9]$"] }, ({ url }) => /^ftp:|x=1[0-9]$/.test(url ?? "")],
  [{ match: /^FTP:|x=1\d$/giy }, ({ url }) => /^ftp:|x=1[0-9]$/.test(url ?? "")],
  [{ match: ["^ftp:", /\p{Nd}$/u] }, ({ url }) => /^ftp:|[0-9]$/.test(url ?? "")],
  [
    { match: /H1\./s, subject: [/S1/, "none"], ignoreCase: true },
    ({ url, subject }) => /h1\./.test(url ?? "") && subject === "http://s1.example/",
  ],
  [{ match: "HTTP:.*\\x50|[F-g]TP:", ignoreCase: true }, ({ url }) => /http:.*p|ftp:/.test(url ?? "")],
  [{ kinds: ["rejoined", "nested"] }, ({ kind }) => kind === "rejoined" || kind === "nested"],
  [{ flags: ["password", "idn"] }, ({ flags }) => flags.includes("password") || flags.includes("idn")],
  [{ unwrap: true, unwrapped: true }, ({ chain }) => chain !== undefined],
  [{ where: ["header:*"] }, ({ where }) => where?.startsWith("header:") === true],
  [{ where: ["HEADER:subject", "html"] }, ({ where }) => where === "header:Subject"],
  [{ noQuoted: true }, ({ quote }) => quote === undefined],
  [{ quoted: true }, ({ quote }) => quote !== undefined],
  [{ subject: "//s1\\." }, ({ subject }) => subject === "http://s1.example/"],
  [{ has: "subject=s1" }, ({ subject }) => subject === "http://s1.example/"],
  [{ has: ["path=^/p", "header:x-n=^[3-7]$"] }, ({ url }) => /\/p\?x=[3-7]$/.test(url ?? "")],
  [{ has: ["host=^H1", "scheme=^http$"], ignoreCase: true }, ({ host, scheme }) => host === "h1.example" && scheme === "http"],
  [{ has: "quote=^$" }, ({ quote }) => quote === undefined],
  [{ subject: ["^none", "S1"], ignoreCase: true }, ({ subject }) => subject === "http://s1.example/"],
  [{ since: "1999" }, ({ date }) => date !== undefined && date >= "1999"],
  [{ until: "1999" }, ({ date }) => date !== undefined && date < "2000"],
  [{ since: "1998-02", until: "1999-03-10" }, ({ date }) => date !== undefined && date >= "1998-02" && date < "1999-03-11"],
  [{ since: "1999-02-02T10:00:00+01:00" }, ({ date }) => date !== undefined && date >= "1999-02-02T09:00:00Z"],
  [{ since: new Date("1999-02-02T10:00:00.999+01:00") }, ({ date }) => date !== undefined && date >= "1999-02-02T09:00:00Z"],
  [{ until: new Date("1999-02-02") }, ({ date }) => date !== undefined && date <= "1999-02-02T00:00:00Z"],
  [{ since: "1999-02-02T09:00" }, ({ date }) => date !== undefined && date >= "1999-02-02T09:00:00Z"],
  [{ until: "1999-02-02T10:00+01:00" }, ({ date }) => date !== undefined && date < "1999-02-02T09:01"],
  [{ until: "1999-02-02T09:00:00" }, ({ date }) => date !== undefined && date <= "1999-02-02T09:00:00Z"],
  [{ from: ["JOE1@b.a.example"] }, (record) => address(record) === "joe1@b.a.example"],
  [{ from: ["@a.example"] }, (record) => /@(b\.)?a\.example$/.test(address(record))],
  [
    { domains: ["h1.example"], where: ["body"], noQuoted: true, since: "1999", flags: ["password"], match: "8080" },
    ({ host, where, date, flags }) =>
      isBelow(host, "h1.example") && where === "body" && date !== undefined && date >= "1999" && flags.includes("password"),
  ],
];

describe.each([{}, { nested: true, unwrap: true }, { userinfo: "redact" }] as const)("with %j", (options) => {
  it.each(FILTERS)("%j", (filter, isWanted) => {
    const fields = ["from", "subject", "header:x-n"] as const;
    const without = ({ from: _from, from_address: _address, ...record }: MatchJson): object => record;
    const expected = recordsOf({ ...options, unwrap: "unwrap" in filter || "unwrap" in options, fields })
      .filter(isWanted)
      .map(without);
    expect(recordsOf({ ...options, ...filter, fields }).map(without)).toEqual(expected);
    expect(expected.length).toBeGreaterThan(0);
  });
});

it.each(["plain", "ndjson", "csv"] as const)("format %s has the same matches, in pieces and with threads", async (format) => {
  const filter = { domains: ["h1.example"], since: "1998-02" };
  const expected = recordsOf(filter).map(({ url }) => url);
  for (const threads of [1, 2]) {
    const stream = new ExtractStream({ type: "mbox", format, ...filter, threads, ...(format === "plain" ? {} : { fields: ["url"] }) });
    for (let at = 0; at < MAILBOX.length; at += 997) stream.write(MAILBOX.slice(at, at + 997));
    stream.end();
    let text = "";
    for await (const chunk of stream) text += String(chunk);
    const lines = text.trimEnd().split(/\r?\n/);
    const urls = format === "ndjson" ? lines.map((line) => (JSON.parse(line) as MatchJson).url) : lines.slice(format === "csv" ? 1 : 0);
    expect(urls).toEqual(expected);
  }
});

it("a pattern is a RegExp, with backreferences, look-around and any repetitions", () => {
  const text = `http://a.example/aa http://b.example/ab http://c.example/${"0".repeat(32)}`;
  const found = (match: string, ignoreCase = false): unknown =>
    [...extract(text, { match, ignoreCase })].map(({ url }) => new URL(url ?? "").host);
  expect(found("(a)\\1$")).toEqual(["a.example"]);
  expect(found("/(?!aa|0)")).toEqual(["a.example", "b.example", "c.example"]);
  expect(found("e/(?!aa|0)")).toEqual(["b.example"]);
  expect(found("[0-9a-f]{32}")).toEqual(["c.example"]);
  expect(found("B\\.EXAMPLE")).toEqual([]);
  expect(found("B\\.EXAMPLE", true)).toEqual(["b.example"]);
});

it("names of flags and kinds that no match has are allowed beside others", () => {
  const given: ExtractOptions[] = [{ flags: ["open-redirect", "idn"] }, { kinds: ["plain", "link"] }, { flags: ["cut"] }];
  for (const options of given) expect([...extract("http://a.example/", options)].length, JSON.stringify(options)).toBeLessThan(2);
});

it("an address is the same host in every notation", () => {
  const text =
    "http://3232235777/a http://0300.0250.1.1/b http://192.168.1.1/c http://[::ffff:c0a8:101]/d http://192.168.1.2/e http://1.2.3/f";
  const found = (options: ExtractOptions): string => [...extract(text, options)].map(({ url }) => new URL(url ?? "").pathname[1]).join("");
  for (const host of ["3232235777", "192.168.1.1", "0xc0a80101", "[::ffff:192.168.1.1]"]) {
    expect(found({ hosts: [host] }), host).toBe("abcd");
    expect(found({ notHosts: [host] }), host).toBe("ef");
    expect(found({ domains: [host] }), host).toBe("abcd");
  }
  expect(found({ hosts: ["1.2.3"] })).toBe("f");
});

it.each([
  [{ unwrapped: true }, /^unwrapped needs unwrap/],
  [{ flags: ["open-redirect"], unwrap: true }, /^flags "open-redirect" needs unwrap: "any"/],
  [{ flags: ["open-redirect"] }, /^flags "open-redirect" needs unwrap/],
  [{ kinds: ["link", "www"] }, /^kinds "link" needs links/],
  [{ match: "(" }, /^match must be a regular expression: /],
  [{ hosts: ["a b"] }, /^hosts must list hosts such as/],
  [{ hosts: ["http://a.example/"] }, /^hosts must list hosts such as/],
  [{ hosts: [".a.example"] }, /^hosts must list hosts such as/],
  [{ domains: [".a.example"] }, /^domains must list domains such as/],
  [{ domains: ["*.a.example"] }, /^domains must list domains such as/],
  [{ since: "1998-13" }, /^since must be a date such as 1998, /],
  [{ since: "1995-06-31" }, /^since must be a date such as 1998, /],
  [{ until: "1995-02-30T10:00:00Z" }, /^until must be a date such as 1998, /],
  [{ until: "yesterday" }, /^until must be a date such as 1998, /],
  [{ from: ["joe"] }, /^from must list addresses such as/],
  [{ where: ["subject"] }, /^where may list body, html, /],
  [{ flags: ["passwort"] }, /^flags got "passwort"; did you mean password\? It may list /],
  [{ match: [] }, /^match must be a regular expression, or several, not \[\]/],
  [{ match: [/a/, 7] }, /^match must be a regular expression, or several, not \[a RegExp, 7\]/],
  [{ has: /a/ }, /^has must be a field and a regular expression, such as subject=\^Re:, not a RegExp/],
  [{ until: new Date("yesterday") }, /^until must be a date such as .*, not "Invalid Date"/],
  [{ until: new Date(8e15) }, /^until must be a date such as .*, not "[+]/],
  [{ match: ["a", "("] }, /^match must be a regular expression: /],
  [{ ignoreCase: true }, /^ignoreCase needs match/],
  [{ since: "1999-05", until: "1998" }, /^since is later than until: no date is in between/],
  [{ kinds: ["x"] }, /^kinds may list /],
] as unknown as [ExtractOptions, RegExp][])("%j is refused", (options, message) => {
  expect(() => extract("", options)).toThrow(message);
});

it.each([
  ["A.Example.", "a.example"],
  ["*.B\u00fccher.example", "*.xn--bcher-kva.example"],
  ["[::1]", "[::1]"],
  ["192.0.2.7", "192.0.2.7"],
  ["a.example:80", undefined],
  ["", undefined],
  ["a/b", undefined],
])("the host %j is %j", (name, host) => {
  expect(hostName(name)).toBe(host);
});
