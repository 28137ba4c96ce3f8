// What the functions for single URLs say of a value of a wrong type: what is right, and what was given. A string may hold a password.
import { expect, it } from "vitest";
import * as library from "../../src/index.ts";
import * as urls from "../../src/url/index.ts";

// biome-ignore lint/suspicious/noExplicitAny: what no type allows
const any = (value: unknown): any => value;

it.each<[string, () => unknown, string]>([
  ["parse", () => library.parse(any(7)), "url must be a string, not 7"],
  ["normalize", () => library.normalize(any(null)), "url must be a string, not null"],
  ["normalize with whatwg", () => library.normalize(any([]), { profile: "whatwg" }), "url must be a string, not []"],
  [
    "normalize with a misspelled profile",
    () => library.normalize("", { profile: any("srut") }),
    expect.stringMatching(/^profile got "srut"; did you mean surt\? It must be rfc3986, /),
  ],
  ["normalizeLines", () => library.normalizeLines(any("http://joe:secret@h/")), "input must be a Uint8Array, not a string"],
  ["resolve, the base", () => library.resolve(any(1n), ""), "base must be a string, not 1"],
  ["resolve, the reference", () => library.resolve("http://a/", any(undefined)), "reference must be a string, not undefined"],
  ["percentDecode", () => urls.percentDecode(any({})), "input must be a string or a Uint8Array, not an object"],
  ["percentDecode, options", () => urls.percentDecode("", any(1)), "options must be an object, not 1"],
  ["percentDecode, strict", () => urls.percentDecode("", { strict: any("yes") }), 'strict must be true or false, not "yes"'],
  [
    "percentEncode",
    () => urls.percentEncode("", any("rfc3986-pth")),
    expect.stringMatching(/ got "rfc3986-pth"; did you mean rfc3986-path\? It must be /),
  ],
  ["format", () => urls.format(any("http://a/")), "url must be a result of parse with ok: true, not a string"],
  [
    "format, a part",
    () => urls.format({ ...any(library.parse("http://a/")), port: "80" }),
    expect.stringMatching(/^port must be .*, not "80"$/),
  ],
])("%s", (_, act, message) => {
  expect(act).toThrow(expect.objectContaining({ message, name: expect.stringMatching(/^(?:Input|Option)Error$/) }));
});
