// Schemeless text (X10) with what steps make of it (N9 to N11, X11), as the command and the library give it.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { extract } from "../../src/index.ts";
import { checkNormalizeOptions, type NormalizeOptions } from "../../src/options/options.ts";
import { makeNormalizer } from "../../src/url/normalize.ts";
import { coreOf } from "../core/builds.ts";
import { schemelessTexts } from "../scan/pieces.ts";
import { run } from "./run.ts";

const INPUT = "see www.A.example:80/%7ex?u=http%3A%2F%2Fb.example%2F, FTP.a.example/../x#y or JOE@A.Example\n";
const SAFE = "nam01.safelinks.protection.outlook.com/?url=http%3A%2F%2Fc.example%2F&data=1";

async function lines(...args: string[]): Promise<string[]> {
  const { stdout } = await run(["--bare", "www,email", ...args], { input: INPUT });
  return stdout.trimEnd().split("\n");
}

describe("the command with --bare", () => {
  it.each([
    ["whatwg", "http://www.a.example/%7ex?u=http%3A%2F%2Fb.example%2F", "ftp://ftp.a.example/x#y", "mailto:JOE@A.Example"],
    ["surt", "http://(example,a,www,)/~x?u=http%3A%2F%2Fb.example%2F", "ftp://(example,a,ftp,)/x#y", "mailto:JOE@a.example"],
    ["rfc1738", "http://www.a.example/%7Ex?u=http%3A%2F%2Fb.example%2F", "ftp://ftp.a.example/x", "mailto:JOE@a.example"],
  ])("--profile %s", async (profile, ...urls) => {
    expect(await lines("--profile", profile)).toEqual(urls);
  });

  it("--nested reports the URL inside a name's query behind it", async () => {
    const [first, inner, ...rest] = (await lines("--nested", "-f", "ndjson")).map((line) => JSON.parse(line));
    const raw = "www.A.example:80/%7ex?u=http%3A%2F%2Fb.example%2F";
    expect(first).toMatchObject({ raw, scheme: "http", host: "www.a.example", kind: "www", start: 4, end: 53 });
    expect(inner).toMatchObject({ url: "http://b.example/", raw: "http://b.example/", kind: "nested", start: 28, end: 53 });
    expect(rest.map(({ scheme, host, kind }) => [scheme, host, kind])).toEqual([
      ["ftp", "ftp.a.example", "www"],
      ["mailto", null, "email"],
    ]);
  });

  it("finds addresses in a message, but not in its message ids (C97)", async () => {
    const id = "<1.2@a.example>";
    const replied = `In-Reply-To: ${id}; from joe@a.example\n`;
    const ids = `Message-ID: ${id}\nReferences: ${id}\n ${id}\n${replied}Content-Id: ${id}\nResent-Message-ID: ${id}\n`;
    const input = `From: <v-b=c@d.example>\n${ids}\nIn article ${id}\n`;
    const { stdout } = await run(["--bare", "email", "-f", "ndjson"], { input });
    const records = stdout.trimEnd().split("\n");
    expect(records.map((line) => JSON.parse(line)).map(({ raw, where }) => [raw, where])).toEqual([
      ["v-b=c@d.example", "header:From"],
      ["joe@a.example", "header:In-Reply-To"],
      ["1.2@a.example", "body"],
    ]);
  });

  it("-s filters by the scheme that a kind stands for, nested ones too", async () => {
    expect(await lines("-s", "mailto")).toEqual(["mailto:JOE@a.example"]);
    expect(await lines("-s", "mailto", "--nested", "--profile", "whatwg")).toEqual(["mailto:JOE@A.Example"]);
    expect(await lines("-s", "ftp", "--profile", "surt")).toEqual(["ftp://(example,a,ftp,)/x#y"]);
    expect(await lines("-s", "http", "--nested")).toEqual(["http://www.a.example/~x?u=http%3A%2F%2Fb.example%2F", "http://b.example/"]);
  });

  it("--unwrap unwraps a domain name; the chain has its scheme", async () => {
    const { stdout } = await run(["--bare", "domain", "--unwrap", "-f", "ndjson"], { input: `(${SAFE})` });
    const chain = [`http://${SAFE}`];
    expect(JSON.parse(stdout)).toMatchObject({
      url: "http://c.example/",
      raw: SAFE,
      scheme: "http",
      host: "c.example",
      kind: "domain",
      chain,
    });
  });
});

const PREFIXES: Record<string, string> = { http: "http://", ftp: "ftp://", mailto: "mailto:" };

describe("any scheme-less text", () => {
  it.each<NormalizeOptions>([
    { profile: "whatwg" },
    { profile: "surt" },
    { profile: "rfc1738" },
    { stripWww: true, stripFragment: true, sortQuery: true },
  ])("%j: the URL is what normalize gives for it with its scheme (X10, N)", (form) => {
    const normalize = makeNormalizer(coreOf("simd"), checkNormalizeOptions(form));
    let count = 0;
    fc.assert(
      fc.property(schemelessTexts(8), (bytes) => {
        for (const { kind, raw, url, scheme } of extract(bytes, { ...form, bare: ["www", "email", "domain", "ip"] })) {
          if (kind !== "www" && kind !== "email" && kind !== "domain" && kind !== "ip") continue;
          count++;
          // In a URL these would be no part of an address (C140).
          const written = kind === "email" ? raw.replace(/[%?#]/g, encodeURIComponent) : raw;
          const result = normalize(`${PREFIXES[scheme]}${written}`);
          expect(url, JSON.stringify(raw)).toBe(result.ok ? result.url : null);
        }
      }),
      { numRuns: 300, seed: 1 },
    );
    expect(count).toBeGreaterThan(50);
  });
});
