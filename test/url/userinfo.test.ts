// Hiding the userinfo of URLs in any text (C46): in every reading, for good, and in linear time.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { hideUserinfo } from "../../src/url/userinfo.ts";
import { check } from "../core/check.ts";

const slashes = ["//", "/", "\\", "%2F", "%2f%5C", "%252F", "%252F%252F"];
const others = ["http:", "sip:", "ws%3A", ":", "@", "%40", "%2540", "[at]", "joe", "a&b", "?", "#", "%3F", " ", "%20", "%25", "25", "%"];
const texts = fc.array(fc.constantFrom(...slashes, ...others), { maxLength: 14 }).map((pieces) => pieces.join(""));

/** Returns a text as it is percent-decoded `depth` times, without its triplets that were encoded more often. */
function reading(text: string, depth: number): string {
  return text.replace(/%((?:25)*)([\da-f]{2})/gi, (_, more: string, hex: string) =>
    more.length / 2 < depth ? String.fromCharCode(Number.parseInt(hex, 16)) : "x",
  );
}

describe("the userinfo in a text", () => {
  it("is hidden in every reading, and nothing else", () => {
    check(20_000, texts, (text) => {
      const hidden = hideUserinfo(text);
      for (const depth of [0, 1, 2]) {
        for (const [whole, userinfo] of reading(hidden, depth).matchAll(/[/\\]{2}([^/\\?#\s&]+)@/g)) {
          if (userinfo !== "***") expect.fail(`${JSON.stringify(text)} gives ${hidden}: ${whole}`);
        }
      }
      if (!/(?:[/\\]|%(?:25)*(?:2f|5c)){2}|(?:http|sip|ws):/i.test(reading(text, 9)) && hidden !== text) expect.fail(text);
    });
  });

  it("is hidden the same way again", () => {
    check(20_000, texts, (text) => {
      const hidden = hideUserinfo(text);
      if (hideUserinfo(hidden) !== hidden) expect.fail(`${JSON.stringify(text)} gives ${hidden}, then ${hideUserinfo(hidden)}`);
    });
  });

  // Work that is not linear would take hours.
  it.each(["//", "//a:b", "//a@", "/", "sip:", "sip:a:", "%25", "25", "%2F", "%2525", "urldefense//a-40", "urldefense_*-25"])(
    "is found in 1 MiB of %s in linear time",
    (piece) => {
      const text = piece.repeat((1 << 20) / piece.length);
      for (const one of [text, `//${text}@`, `%${text}40`, `@${text}`]) expect(hideUserinfo(one).length).toBeLessThan(2 * one.length);
    },
    60_000,
  );
});
