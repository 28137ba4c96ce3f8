// Texts without passwords: what certainly has none is not looked through.
import fc from "fast-check";
import { it } from "vitest";
import { hidden } from "../../src/summary/hidden.ts";
import { withoutPasswords } from "../../src/url/passwords.ts";
import { check, expectEqual } from "../core/check.ts";

it("gives what a search for passwords gives", () => {
  const usual = ["http:", "sip:", "mailto:", "//", "joe", ":", "@", "a.example", "/", "?"];
  const encoded = ["%3A", "%40", "-3A", "-40", "*", "__", "[at]", "40", "http://urldefense.com/v3/__", "URLDefense", "\\", " "];
  const texts = fc.array(fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...usual) }, fc.constantFrom(...encoded)), { maxLength: 9 });
  check(5000, texts, (pieces) => {
    const text = pieces.join("");
    expectEqual(hidden(text), withoutPasswords(text, "redact"), () => text);
  });
});
