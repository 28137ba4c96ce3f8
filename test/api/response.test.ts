// extractFrom reads a Response, or a Blob, as its Content-Type says, and resolves links against the URL of a Response.
import { describe, expect, it } from "vitest";
import { type ExtractFromOptions, extractFrom } from "../../src/index.ts";

const PAGE = '<p><a href="http://a.example/?x&amp;y">a</a> <a href="z">z</a>';
const BASE = "http://base.example/b/c";

function responseOf(body: string | Uint8Array<ArrayBuffer>, type: string | undefined, url = ""): Response {
  const response = new Response(body, { headers: type === undefined ? {} : { "Content-Type": type } });
  // A response without Content-Type gets that of a string.
  if (type === undefined) response.headers.delete("Content-Type");
  Object.defineProperty(response, "url", { value: url });
  return response;
}

async function urlsOf(source: Response | Request | Blob, options?: ExtractFromOptions): Promise<(string | null)[]> {
  const urls: (string | null)[] = [];
  for await (const { url } of extractFrom(source, options)) urls.push(url);
  return urls;
}

describe("the type", () => {
  const json = '"http:\\/\\/a.example\\/\\u0078"';
  it.each<[type: string, body: string, urls: string[]]>([
    ["text/html", PAGE, ["http://a.example/?x&y"]],
    ["TEXT/HTML;charset=utf-8", PAGE, ["http://a.example/?x&y"]],
    ["application/xhtml+xml", PAGE, ["http://a.example/?x&y"]],
    ["application/json", json, ["http://a.example/x"]],
    ["application/activity+json; x=y", json, ["http://a.example/x"]],
    ["application/x-ndjson", json, ["http://a.example/x"]],
    ["text/plain", PAGE, ["http://a.example/?x&amp;y"]],
    ["text/plain", "<html>a&amp;http://a.example/?x&amp;y", ["http://a.example/?x&y"]],
    ["nothing", PAGE, ["http://a.example/?x&amp;y"]],
  ])("is that of %s", async (type, body, urls) => {
    expect(await urlsOf(responseOf(body, type))).toEqual(urls);
    expect(await urlsOf(new Blob([body], { type }))).toEqual(urls);
    expect(await urlsOf(new Request("http://h.example/", { method: "POST", body, headers: { "Content-Type": type } }))).toEqual(urls);
  });

  it.each([
    ["message/rfc822", "", ["header:Subject", "body"]],
    ["application/mbox", "From a Mon Mar  1 10:00:00 2004\n", ["header:Subject", "body"]],
    ["text/plain", "", [undefined, undefined]],
  ])("of a message is that of %s", async (type, line, expected) => {
    const places: unknown[] = [];
    const message = `${line}Subject: http://s.example/\n\nhttp://b.example/`;
    for await (const { where } of extractFrom(responseOf(message, type))) places.push(where);
    expect(places).toEqual(expected);
  });

  it("of the options wins, `auto` too", async () => {
    expect(await urlsOf(responseOf(PAGE, "text/html"), { type: "text" })).toEqual(["http://a.example/?x&amp;y"]);
    expect(await urlsOf(responseOf(PAGE, "text/html"), { type: "auto" })).toEqual(["http://a.example/?x&amp;y"]);
  });
});

describe("the charset", () => {
  const body = Buffer.concat([Buffer.from("http://a.example/caf"), Buffer.from([0xe9])]);
  it.each([
    ["text/plain; charset=ISO-8859-1", undefined, "http://a.example/caf%C3%A9"],
    ['text/html; a=b; Charset="koi8-r"', undefined, "http://a.example/caf%D0%98"],
    ["text/plain; charset=shift_jis", undefined, "http://a.example/caf"],
    ["text/plain", undefined, "http://a.example/caf"],
    ["text/plain; charset=iso-8859-1", "koi8-r", "http://a.example/caf%D0%98"],
  ])("of %s with the option %s", async (type, charset, url) => {
    expect(await urlsOf(responseOf(body, type), { charset })).toEqual([url]);
  });
});

describe("the base", () => {
  it("is the URL of the response", async () => {
    expect(await urlsOf(responseOf(PAGE, "text/html", BASE), { links: true })).toEqual([
      "http://a.example/?x&y",
      "http://base.example/b/z",
    ]);
  });

  it("of the page wins, and that of the options", async () => {
    const page = `<base href="http://c.example/">${PAGE}`;
    expect((await urlsOf(responseOf(page, "text/html", BASE), { links: true }))[2]).toBe("http://c.example/z");
    expect((await urlsOf(responseOf(PAGE, "text/html", BASE), { links: true, base: "http://o.example/" }))[1]).toBe("http://o.example/z");
  });

  it("is none without the option links, or a URL", async () => {
    expect(await urlsOf(responseOf(PAGE, "text/html", BASE))).toEqual(["http://a.example/?x&y"]);
    expect(await urlsOf(responseOf(PAGE, "text/html"), { links: true })).toEqual(["http://a.example/?x&y", null]);
    const request = new Request(BASE, { method: "POST", body: PAGE, headers: { "Content-Type": "text/html" } });
    expect(await urlsOf(request, { links: true })).toEqual(["http://a.example/?x&y", null]);
  });
});
