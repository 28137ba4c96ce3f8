// Every option of `urlmill`, and every wrong one: a line that names it and says what would be right.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { flagOf, optionsOf } from "../../src/options/table.ts";
import { newFolder, removeFolder, run } from "./run.ts";

const TEXT =
  "See <URL:HTTP://A.example:80/%7ex> or news:comp.lang.c, mailto:joe@B.Example, http://[::1 and\n<ftp://c.example/a/\n  x/y>.\n";
let folder: string;
let file: string;

beforeAll(() => {
  folder = newFolder();
  file = join(folder, "note.txt");
  writeFileSync(file, TEXT);
});
afterAll(() => removeFolder(folder));

describe("format", () => {
  it("plain: one normalized URL a line", async () => {
    expect(await run([file])).toEqual({
      code: 0,
      signal: null,
      stdout: "http://a.example/~x\nnews:comp.lang.c\nmailto:joe@b.example\nftp://c.example/a/x/y\n",
      stderr: "",
    });
  });

  it("ndjson: one record a line", async () => {
    const { stdout, code } = await run(["-f", "ndjson", "note.txt"], { cwd: folder });
    expect(code).toBe(0);
    const records = stdout
      .trimEnd()
      .split("\n")
      .map((line): Record<string, unknown> => JSON.parse(line));
    expect(Object.keys(records[0])).toEqual(["url", "raw", "scheme", "host", "kind", "flags", "source", "start", "end"]);
    expect(records[0]).toEqual({
      url: "http://a.example/~x",
      raw: "HTTP://A.example:80/%7ex",
      scheme: "http",
      host: "a.example",
      kind: "wrapped",
      flags: [],
      source: "note.txt",
      start: 9,
      end: 33,
    });
    expect(records.map(({ scheme, host, kind }) => [scheme, host, kind])).toEqual([
      ["http", "a.example", "wrapped"],
      ["news", null, "plain"],
      ["mailto", null, "plain"],
      ["ftp", "c.example", "rejoined"],
    ]);
    for (const { start, end, raw, kind } of records) {
      if (kind !== "rejoined") expect(TEXT.slice(Number(start), Number(end))).toBe(raw);
    }
  });

  it("ndjson: a URL that the profile refuses is null, with a reason; plain leaves it out and counts it", async () => {
    const input = "http://a.example/ http://%ff.example/\n";
    const ndjson = await run(["-f", "ndjson"], { input });
    expect(JSON.parse(ndjson.stdout.split("\n")[1])).toMatchObject({
      url: null,
      raw: "http://%ff.example/",
      reason: "bad-host",
      source: "-",
    });
    const plain = await run(["--stats"], { input });
    expect(plain.stdout).toBe("http://a.example/\n");
    expect(JSON.parse(plain.stderr)).toMatchObject({ matches: 2, rejected: { "bad-host": 1 } });
  });

  it("ndjson: a source with quotes, controls and letters beyond ASCII", async () => {
    const name = 'a "\\\n\u00e9.txt';
    writeFileSync(join(folder, name), "http://a.example/");
    const { stdout } = await run(["-f", "ndjson", name], { cwd: folder });
    expect(JSON.parse(stdout)).toMatchObject({ source: name, start: 0, end: 17 });
  });
});

describe("options", () => {
  it.each(["--profile=none", "--profile none"])("%s leaves URLs as written", async (option) => {
    expect((await run([...option.split(" "), file])).stdout.split("\n")[0]).toBe("HTTP://A.example:80/%7ex");
  });

  const NESTED = "ftp://x.example/ http://www.a.example/?utm_source=q&b=1&a=http%3A%2F%2Fu:p@b.example%2F%23z#f\n";
  it.each([
    [
      "--nested",
      "ftp://x.example/\nhttp://www.a.example/?utm_source=q&b=1&a=http%3A%2F%2Fu:p@b.example%2F%23z#f\nhttp://u:p@b.example/#z\n",
    ],
    ["--nested -s http --strip-fragment --userinfo strip --strip-www --strip-tracking --sort-query", undefined],
    ["--profile surt -s ftp", "ftp://(example,x,)/\n"],
    ["--profile whatwg -s ftp", "ftp://x.example/\n"],
  ])("%s", async (options, wanted) => {
    const stdout = wanted ?? "http://a.example/?a=http%3A%2F%2Fu:p@b.example%2F%23z&b=1\nhttp://b.example/\n";
    expect(await run(options.split(" "), { input: NESTED })).toMatchObject({ code: 0, stdout, stderr: "" });
    const separated = await run([...options.split(" "), "-0"], { input: NESTED });
    expect(separated.stdout).toBe(stdout.replaceAll("\n", "\0"));
  });

  it.each([
    ["--unwrap any", "http://b.example/"],
    ["--unwrap=any", "http://b.example/"],
    ["--unwrap -", "http://a.example/?u=http://b.example/"],
    ["--unwrap any -", "http://b.example/"],
    ["- --unwrap any", "http://b.example/"],
  ])("%s: any is a value, not a path (C209)", async (words, url) => {
    const { stdout, code } = await run(words.split(" "), { input: "http://a.example/?u=http://b.example/\n" });
    expect([stdout, code]).toEqual([`${url}\n`, 0]);
  });

  it("after -- and with a folder before it any is a path", async () => {
    for (const words of ["--unwrap -- any", "--unwrap -- an", "--unwrap ./any", "--nested any", "count --share mail"]) {
      const { stderr, code } = await run(words.split(" "));
      expect(code).toBe(2);
      expect(stderr).toMatch(/(?:any?|mail): no such file or folder/);
    }
  });

  it("--unwrap: the record tells what was taken off", async () => {
    const input = "https://www.google.com/url?q=http%3A%2F%2Fa.example%2F&sa=U\nhttp://b.example/\n";
    const { stdout } = await run(["--unwrap", "-f", "ndjson"], { input });
    const records = stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(records.map(({ url, host, chain }) => [url, host, chain])).toEqual([
      ["http://a.example/", "a.example", ["https://www.google.com/url?q=http%3A%2F%2Fa.example%2F&sa=U"]],
      ["http://b.example/", "b.example", undefined],
    ]);
  });

  it("--unwrap: the record of a redirector that a line break cut has a flag; --guess joins the lines (C142)", async () => {
    const line = "> Minutes: https://www.google.com/url?sa=t&q=https%3A%2F%2Fa.example%2Fno";
    const input = `${line}\n> rth%2Fspring.html\n${line.replace("google", "mill")}\n> rth%2Fspring.html\n`;
    const recordsOf = async (options: string): Promise<unknown[]> => {
      const { stdout } = await run([...options.split(" "), "-f", "ndjson"], { input });
      const records = stdout.trimEnd().split("\n");
      return records.map((record) => JSON.parse(record)).map(({ url, flags }) => [url, flags]);
    };
    const other = "https://www.mill.com/url?sa=t&q=https%3A%2F%2Fa.example%2Fno";
    expect(await recordsOf("--unwrap")).toEqual([
      ["https://a.example/no", ["cut"]],
      [other, []],
    ]);
    expect(await recordsOf("--unwrap --guess")).toEqual([
      ["https://a.example/north/spring.html", []],
      [`${other}rth%2Fspring.html`, []],
    ]);
  });

  it("--profile whatwg: a quotation mark in a host is written as JSON wants it", async () => {
    const { stdout } = await run(["--profile", "whatwg", "-f", "ndjson"], { input: "http://a%22b.example/ http://c.example/" });
    const hosts = stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line).host);
    expect(hosts).toEqual([new URL("http://a%22b.example/").hostname, "c.example"]);
  });

  it("--nested: matches of that kind are counted", async () => {
    const { stderr } = await run(["--nested", "--stats"], { input: NESTED });
    expect(JSON.parse(stderr)).toMatchObject({ matches: 3, kinds: { plain: 2, nested: 1 } });
  });

  it.each([
    ["-s http", "http://a.example/~x\n"],
    ["-s NEWS,ftp", "news:comp.lang.c\nftp://c.example/a/x/y\n"],
    ["-s news --scheme ftp", "news:comp.lang.c\nftp://c.example/a/x/y\n"],
  ])("%s reports only these", async (option, stdout) => {
    expect((await run([...option.split(" "), file])).stdout).toBe(stdout);
  });

  it("-s with nothing of that scheme finds nothing", async () => {
    expect(await run(["-s", "gopher", file])).toMatchObject({ code: 1, stdout: "", stderr: "" });
  });

  it("-s may name a scheme that is not known if another option finds it", async () => {
    expect(await run(["--any-scheme", "-s", "htp", file])).toMatchObject({ code: 1, stderr: "" });
    expect(await run(["-s", "htp", "--extra-scheme", "htp", file])).toMatchObject({ code: 1, stderr: "" });
  });

  it("--url-bytes-max bounds a match", async () => {
    const input = `http://a.example/${"x".repeat(300)} http://b.example/`;
    const { stdout, stderr } = await run(["--url-bytes-max", "256", "--stats"], { input });
    expect(stdout).toBe("http://b.example/\n");
    const [message, stats = ""] = stderr.split("\n");
    expect(message).toBe("urlmill: not reported: 1 of more than --url-bytes-max bytes (overlong)");
    expect(JSON.parse(stats).rejected.overlong).toBe(1);
    expect((await run(["--url-bytes-max", "256", "-q"], { input })).stderr).toBe("");
  });

  it("links without a base are counted on standard error", async () => {
    const input = "<html><a href=x><a href=y>";
    const { stdout, stderr } = await run(["--links"], { input });
    expect({ stdout, stderr }).toEqual({
      stdout: "",
      stderr: "urlmill: not resolved: 2 links without a base (no-base); --base gives one\n",
    });
  });

  it("--guess joins a URL that a hard-wrapped line broke (X8)", async () => {
    const input = "http://a.example/tides/of/the/north/and/of/the/east/coast/of/the/isl\nands/1995.html\n";
    const [first, second] = input.trimEnd().split("\n");
    expect((await run(["-j", "1"], { input })).stdout).toBe(`${first}\n`);
    const { stdout, stderr } = await run(["--guess", "--stats"], { input });
    expect(stdout).toBe(`${first}${second}\n`);
    expect(JSON.parse(stderr).kinds).toMatchObject({ plain: 0, guessed: 1 });
  });

  it("--type html decodes references, wherever the input comes from", async () => {
    const page = '<a href="http://a.example/?a&amp;b">&lt;http://b.example/&gt;</a> &notin; <!-- http://c.example/&amp; -->';
    const path = join(folder, "page.html");
    writeFileSync(path, page);
    const stdout = "http://a.example/?a&b\nhttp://b.example/\nhttp://c.example/&amp;\n";
    expect((await run(["--type", "html", path])).stdout).toBe(stdout);
    expect((await run(["--type", "html", "-j", "2"], { input: page })).stdout).toBe(stdout);
  });

  it("-0 puts a NUL behind each URL", async () => {
    expect((await run(["-0", "-s", "http,news", file])).stdout).toBe("http://a.example/~x\0news:comp.lang.c\0");
  });

  it.each(["auto", "text"])("--type %s reads text", async (type) => {
    expect((await run(["--type", type, file])).code).toBe(0);
  });

  it.each(["1", "2", "5"])("-j %s gives the same", async (threads) => {
    expect((await run(["-j", threads, file])).stdout).toBe((await run([file])).stdout);
  });

  it("--stats is one JSON object on standard error", async () => {
    const { stderr, stdout } = await run(["--stats", "-q", file]);
    expect(stdout.split("\n")).toHaveLength(5);
    const stats = JSON.parse(stderr);
    expect(stats).toMatchObject({
      bytes: TEXT.length,
      matches: 4,
      kinds: { plain: 2, wrapped: 1, rejoined: 1 },
      rejected: { overlong: 0, "no-host": 0, "bad-host": 1, "bad-port": 0, "bad-shape": 0 },
      skipped: 0,
      rules: expect.any(String),
      unicode: expect.stringMatching(/^\d+\.\d+/),
    });
    expect(stats.bytes_per_second).toBeCloseTo(TEXT.length / stats.seconds, -3);
  });

  it("--stats has what a filter left out, if there is one, also if that is nothing", async () => {
    const statsOf = async (...options: string[]): Promise<unknown> => JSON.parse((await run(["--stats", ...options, file])).stderr);
    expect(await statsOf("--host", "*.example,a.example,c.example", "--kind", "wrapped,rejoined")).toMatchObject({
      filtered: 2,
      undated: 0,
    });
    expect(await statsOf("--kind", "plain,wrapped,rejoined")).toMatchObject({ matches: 4, filtered: 0, undated: 0 });
    expect(Object.keys((await statsOf()) as object)).not.toContain("filtered");
  });

  it("--rejected lists what was not reported, in order", async () => {
    const list = join(folder, "rejected.ndjson");
    const input = "http:// x http://a.example:99999/ http://%ff/ \xff mailto:nobody";
    const result = await run(["--rejected", list], { input: Buffer.from(input, "latin1") });
    expect(result).toMatchObject({ code: 1, stdout: "", stderr: "" });
    const lines = readFileSync(list, "utf8").trimEnd().split("\n");
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      { reason: "no-host", source: "-", start: 0, end: 7, text: "http://" },
      { reason: "bad-port", source: "-", start: 10, end: 33, text: "http://a.example:99999/" },
      { reason: "bad-host", source: "-", start: 34, end: 45, text: "http://%ff/" },
      { reason: "bad-shape", source: "-", start: 48, end: 61, text: "mailto:nobody" },
    ]);
  });

  it("-h and -V tell about the command and the versions", async () => {
    for (const option of ["-h", "--help"])
      expect((await run([option])).stdout).toMatch(/^urlmill \[options\] \[path \.\.\.\].*--url-bytes-max/s);
    for (const option of ["-V", "--version"])
      expect((await run([option])).stdout).toMatch(/^urlmill \d+\.\d+\.\d+ \(rules \S+, Unicode \d+\.\d+\.\d+\)\n$/);
    expect((await run(["normalize", "-h"])).stdout).toMatch(/^urlmill normalize/);
  });

  it.each(["extract", "normalize", "parse", "resolve"])("the help of %s is at most 80 columns wide, without loss", async (command) => {
    const { stdout } = await run(["help", command]);
    expect(stdout.split("\n").filter((line) => line.length > 80)).toEqual([]);
    for (const [, row] of optionsOf(`urlmill ${command as "extract"}`))
      expect(stdout.replace(/\s+/g, " ")).toContain(row.helpOf?.[`urlmill ${command as "extract"}`] ?? row.help);
    expect(stdout.replace(/\s+/g, " ")).toMatch(/ Exit code: 0 .*, 130 interrupted \(143 by SIGTERM\)\. $/);
  });

  it.each(["extract", "normalize", "parse", "resolve"])("the help of %s speaks of no option that it does not have", async (command) => {
    const { stdout } = await run(["help", command]);
    const flags = optionsOf(`urlmill ${command as "extract"}`).flatMap((option) => [`--${flagOf(...option)}`, `--no-${flagOf(...option)}`]);
    const named = [...stdout.matchAll(/--[a-z][a-z-]*/g)].map(([flag]) => flag);
    expect(named.filter((flag) => !flags.includes(flag))).toEqual([]);
  });

  it("-- ends the options", async () => {
    writeFileSync(join(folder, "-f"), "http://dash.example/");
    expect((await run(["--", "-f"], { cwd: folder })).stdout).toBe("http://dash.example/\n");
  });
});

describe("what is wrong is named, with what would be right", () => {
  it.each([
    ["--foramt ndjson", "urlmill has no option --foramt; did you mean --format?"],
    ["--rejecte x", "urlmill has no option --rejecte; did you mean --rejected?"],
    ["-x", "urlmill has no option -x; urlmill --help lists them"],
    ["--nest", "urlmill has no option --nest; did you mean --nested?"],
    ["-q count --by host x", "urlmill has no option --by, which is one of urlmill count; count must be the first word, before all options"],
    ["--verbose x", "urlmill has no option --verbose, which is one of urlmill normalize, urlmill parse, urlmill resolve"],
    [
      "resolve --strip-www x",
      "urlmill resolve has no option --strip-www, which is one of urlmill extract, urlmill count, urlmill report, urlmill explain, " +
        "urlmill normalize",
    ],
    ["--nested=yes", "--nested takes no value"],
    ["--unwrap=yes", "--unwrap takes no value but any"],
    ["--unwrap Any", "--unwrap takes no value but any, and Any is no file; did you mean --unwrap any?"],
    ["count --share message -", "--share takes no value but messages, and message is no file; did you mean --share messages?"],
    ["--userinfo", "--userinfo needs a value; see urlmill --help"],
    ["--userinfo hide", '--userinfo must be keep, redact or strip, not "hide"'],
    ["--userinfo redact --context 9", "--userinfo redact cannot be given with context, which is text as written"],
    ["--userinfo redact -f csv --fields raw", "--userinfo redact cannot be given with raw, which is text as written"],
    ["-f", "-f needs a value; see urlmill --help"],
    ["-f xml", '-f must be plain, ndjson, csv, tsv, parquet, sqlite, stix or misp, not "xml"'],
    ["--profile rfc822", '--profile must be rfc3986, rfc1738, whatwg, surt, cdx or none, not "rfc822"'],
    ["--type pdf", '--type must be auto, text, html, mbox, eml, maildir, news, warc, json or xml, not "pdf"'],
    ["--url-bytes-max 255", "--url-bytes-max must be a whole number from 256 to 1048576, not 255"],
    ["--url-bytes-max 1048577", "--url-bytes-max must be a whole number from 256 to 1048576, not 1048577"],
    ["--url-bytes-max 1e3", '--url-bytes-max must be a whole number from 256 to 1048576, not "1e3"'],
    ["-j 0", "-j must be a whole number from 1 to 1024, not 0"],
    ["-j two", '-j must be a whole number from 1 to 1024, not "two"'],
    ["--extra-scheme data", "--extra-scheme must not list data, which is never extracted"],
    ["--bare www,x", '--bare may list www, email, domain or ip, not "x"'],
    ["-f ndjsn", '-f got "ndjsn"; did you mean ndjson? It must be plain, ndjson, csv, tsv, parquet, sqlite, stix or misp'],
    ["-f NDJSON", '-f got "NDJSON"; did you mean ndjson? It must be plain, ndjson, csv, tsv, parquet, sqlite, stix or misp'],
    ["-f json", '-f got "json"; did you mean ndjson? It must be plain, ndjson, csv, tsv, parquet, sqlite, stix or misp'],
    ["--profile rfc3896", '--profile got "rfc3896"; did you mean rfc3986? It must be rfc3986, rfc1738, whatwg, surt, cdx or none'],
    ["normalize --profile what", '--profile got "what"; did you mean whatwg? It must be rfc3986, rfc1738, whatwg, surt, cdx or none'],
    [
      "--fields url,sorce -f ndjson",
      expect.stringMatching(/^--fields got "sorce"; did you mean source\? It may list url, .*, query or header:NAME$/),
    ],
    ["--fields adress -f ndjson", expect.stringMatching(/^--fields got "adress"; did you mean address\? /)],
    ["--print {urll}", expect.stringMatching(/^--print has no field \{urll\}; did you mean \{url\}\? There are url, .*, query$/)],
    ["--print {~url~}", expect.stringMatching(/^--print has no field \{ url \}; did you mean \{url\}\? There are url, /)],
    ["--where boddy", expect.stringMatching(/^--where got "boddy"; did you mean body\? It may list body, .* epilogue$/)],
    ["--charset koi8r.", expect.stringMatching(/^--charset got "koi8r\."; did you mean koi8-r\? It must be utf-8, /)],
    ["--fields x -f ndjson", expect.stringMatching(/^--fields may list url, .*, query or header:NAME, not "x"$/)],
    ["--bare emial", '--bare got "emial"; did you mean email? It may list www, email, domain or ip'],
    ["-s htpp", "-s has the unknown scheme htpp; did you mean http? To find it, give --extra-scheme htpp"],
    [
      "-s htp,news --scheme nws,x1y",
      "--scheme has the unknown schemes htp, nws, x1y; did you mean http, news? To find them, give --extra-scheme htp,nws,x1y",
    ],
    ["count -s steam", "-s has the unknown scheme steam; to find it, give --extra-scheme steam"],
    ["--since 1999 --until 1998-12", "--since 1999 is later than --until 1998-12: no date is in between"],
    [
      "count --since 1999-05-03T10:00 --until 1999-05-03T09:59:59Z",
      "--since 1999-05-03T10:00 is later than --until 1999-05-03T09:59:59Z: no date is in between",
    ],
    ["--context 5 --print {url}", "--context needs {context} in --print"],
    ["--print {url} --fields url", "--print cannot be given with -f or --fields: it names its fields in braces"],
    ["--from Ann", '--from must list addresses such as joe@a.example or @a.example, not "Ann"'],
    ["--links --base foo", '--base must be a URL such as http://a.example/, not "foo"'],
    ["--context 5 -f csv --fields url,raw", "--context needs context among --fields"],
    ["count --context 5", "--context needs --by context"],
    ["-i", "-i needs --match, --has or --subject"],
    [
      "--match (?i)x",
      expect.stringMatching(/^--match must be a regular expression: .*; instead of \(\?i\) there is --ignore-case \(ignoreCase\)$/),
    ],
    ["--header -f parquet", "--header needs -f csv or tsv"],
    ["--date-format wayback", "--date-format needs -f ndjson, csv, tsv or --print"],
    ["--date-format wayback -f parquet", "--date-format needs -f ndjson, csv, tsv or --print"],
    ["--fields url -f stix", "--fields needs -f ndjson, csv, tsv, parquet or sqlite"],
    ["-0 -f misp", "-0 needs -f plain or --print: each record is a line"],
    ["-0 -f ndjson", "-0 needs -f plain or --print: each record is a line"],
    ["--null -f ndjson", "--null needs -f plain or --print: each record is a line"],
    ["--format xml -f plain --threads 0", "--threads must be a whole number from 1 to 1024, not 0"],
    [
      "-s http --scheme ht/tp",
      '--scheme must list scheme names such as http (2 to 32 characters: a letter, then letters, digits, "+", "-" or "."), not "ht/tp"',
    ],
    ["--rejected -", "--rejected needs the name of a file: standard output is for URLs"],
    ["-s ,", "-s needs at least one name, such as http,news"],
    [
      "-s ht/tp",
      '-s must list scheme names such as http (2 to 32 characters: a letter, then letters, digits, "+", "-" or "."), not "ht/tp"',
    ],
    ["--quiet=yes", "--quiet takes no value"],
    ["-o", "-o needs a value; see urlmill --help"],
    ["normalize --fromat x", "urlmill normalize has no option --fromat; urlmill normalize --help lists them"],
  ])("%s", async (args, message) => {
    // A tilde stands for a blank inside an argument.
    const { stderr, ...rest } = await run(args.split(" ").map((arg) => arg.replaceAll("~", " ")));
    expect(rest).toEqual({ code: 2, signal: null, stdout: "" });
    expect(stderr.replace(/^urlmill: (.*)\n$/, "$1")).toEqual(message);
  });
});
