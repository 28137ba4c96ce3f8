// The address and the name of the first mailbox of a From field.
import fc from "fast-check";
import { expect, it } from "vitest";
import { mailboxOf } from "../../src/mail/mailbox.ts";
import { check, expectEqual } from "../core/check.ts";

const bytes = (text: string): Uint8Array => Uint8Array.from(text, (character) => character.charCodeAt(0));

it.each([
  [" joe@a.example", "joe@a.example", undefined],
  [" Joe Doe <joe@a.example>", "joe@a.example", "Joe Doe"],
  [" Joe Doe <Joe.Doe@A.Example.>", "Joe.Doe@a.example", "Joe Doe"],
  [" Joe.Doe at A.EXAMPLE (Joe Doe)", "Joe.Doe@a.example", "Joe Doe"],
  [' "Joe@Doe"@A.Example, Ann@A.Example', '"Joe@Doe"@a.example', undefined],
  [" joe@a.example (Joe Doe)", "joe@a.example", "Joe Doe"],
  [' "Doe, Joe \\"J\\"" <joe@a.example>', "joe@a.example", 'Doe, Joe "J"'],
  [" =?iso-8859-1?Q?J=F8rgen?=\r\n <j@a.org>", "j@a.org", "Jørgen"],
  [' "=?utf-8?q?D=2C_J?=" <j@a.org>', "j@a.org", "D, J"],
  [" J\xf8rgen <j@a.org>", "j@a.org", "Jørgen"],
  [" a@b.example, c@d.example", "a@b.example", undefined],
  [" Group: a@b.example, c@d.example;", "a@b.example", undefined],
  [" Undisclosed recipients:;", undefined, undefined],
  [" joe at a.example (Joe)", "joe@a.example", "Joe"],
  [" Joe (the (other) one) <joe @ a.example>", "joe@a.example", "Joe"],
  [" <@r.example,@s.example:joe@a.example>", "joe@a.example", undefined],
  [" joe", undefined, "joe"],
  [" joe (Joe Doe)", undefined, "Joe Doe"],
  [" Joe <joe>", undefined, "Joe"],
  [" Joe <>", undefined, "Joe"],
  [" Olive Tree Investments", undefined, "Olive Tree Investments"],
  [" Account team ,_<joe@a.example>", "joe@a.example", "Account team ,_"],
  [" Mill, Ann <ann@a.example>", "ann@a.example", "Mill, Ann"],
  [" Mill; Ann <ann@a.example>, bob@b.example", "ann@a.example", "Mill; Ann"],
  [' "service@bank.example", <joe@a.example>', "joe@a.example", "service@bank.example"],
  [" service@bank.example, Joe <joe@a.example>", "service@bank.example", undefined],
  [" service@bank.example <joe@a.example>", "joe@a.example", "service@bank.example"],
  [" Now! service@bank.example, <joe@a.example>", "joe@a.example", "Now! service@bank.example"],
  [" Shop <Shop.example>, Shop <joe@a.example>", "joe@a.example", "Shop"],
  [' "Shop"<>69<joe@a.example>', "joe@a.example", "Shop"],
  [" Joe,(<joe@a.example>)", "joe@a.example", "Joe"],
  [' "joe@a.example"', "joe@a.example", undefined],
  [" =?utf-8?q?joe=40a.example?= (Joe)", "joe@a.example", "Joe"],
  [' "Joe joe@a.example"', undefined, "Joe joe@a.example"],
  [" Joe [joe@a.example]", "joe@a.example", "Joe"],
  [" joe@[192.0.2.1]", "joe@[192.0.2.1]", undefined],
  [" Martin <martin at stat.example>", "martin@stat.example", "Martin"],
  [" martin at stat.example, joe at a.example", "martin@stat.example", undefined],
  [" Bob at work", "Bob@work", undefined],
  [" Bob at work today", undefined, "Bob at work today"],
  [" Joe Doe joe@a.example", "joe@a.example", "Joe Doe"],
  [" joe@a.example Joe Doe", "joe@a.example", "Joe Doe"],
  [' "joe,doe"@a.example, ann@b.example', '"joe,doe"@a.example', undefined],
  [" joe@a.example.", "joe@a.example", undefined],
  [" Joe <joe@a.example..>, ann@b.example", "joe@a.example", "Joe"],
  [" joe at a.example. (Joe)", "joe@a.example", "Joe"],
  [" joe@.", "joe@.", undefined],
  [' "joe doe"@a.example', '"joe doe"@a.example', undefined],
  [' "joe@x" @a.example. (Joe)', '"joe@x"@a.example', "Joe"],
  [' Joe <"joe  doe" @ a.example>', '"joe doe"@a.example', "Joe"],
  [' Joe <"a\\"b c"@a.example>', '"a\\"b c"@a.example', "Joe"],
  [' Joe "a\\"b[c]"@a.example', '"a\\"b[c]"@a.example', "Joe"],
  [' joe."doe smith"@a.example', 'joe."doe smith"@a.example', undefined],
  [' "Joe" joe@a.example', "joe@a.example", "Joe"],
  [" <joe@a.example", "joe@a.example", undefined],
  [' "open <joe@a.example>', "joe@a.example", '"open'],
  [" (((((((( <a@b.example>", "a@b.example", "(((((((("],
  [' Joe \\"J\\" (at \\(home\\)) <joe@a.example>', "joe@a.example", 'Joe "J"'],
  [" joe@a.example (at \\(home\\))", "joe@a.example", "at (home)"],
  [' "a\\b" A\\joe <joe@a.example>', "joe@a.example", "ab A\\joe"],
  [" joe@a.example (a (b (c (d (e (f) g) h))))", "joe@a.example", "a (b (c (d (e (f) g) h)))"],
  [' "Joe (J) <x@y>" <joe@a.example>', "joe@a.example", "Joe (J) <x@y>"],
  [' joe@a.example (5" disk, "Joe")', "joe@a.example", '5" disk, "Joe"'],
  [" joe@a.example, ann@b.example (Ann)", "joe@a.example", undefined],
  [" () (Joe) joe@a.example", "joe@a.example", "Joe"],
  ["", undefined, undefined],
  [" \x00\x1b[31m <a@\x1bb.example>", "a@b.example", "[31m"],
])("%j", (field, address, name) => {
  expect(mailboxOf(bytes(field))).toEqual({ ...(address === undefined ? {} : { address }), ...(name === undefined ? {} : { name }) });
});

it("a comma after a field changes nothing, though fields of the usual forms are read at once", () => {
  const pieces = ['"Doe, Joe"', '""', "Joe", "<joe@a.example>", "joe@a.example", "joe", " at ", "a.example", "(Joe)", "()", " "];
  const others = ["  ", "=?", "@", "\t", "(a (b))", "\xe9", ".", "<a>b"];
  const fields = fc.array(fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...pieces) }, fc.constantFrom(...others)), { maxLength: 6 });
  check(3000, fields, (parts) => {
    const field = parts.join("");
    expectEqual(mailboxOf(bytes(field)), mailboxOf(bytes(`${field},`)), () => JSON.stringify(field));
  });
});
