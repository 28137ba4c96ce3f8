// The command that lists what a report counts.
import { expect, it } from "vitest";
import { commandOf } from "../../src/page/view/listing-command.ts";
import { sampleSummary } from "./sample.ts";

const sample = sampleSummary(3);
const withInputs = (...inputs: string[]): typeof sample => ({ ...sample, run: { ...sample.run, inputs } });

it.each([
  [["mail/"], null, "urlmill --flag idn mail/"],
  [["-"], { from: 0, to: 1 }, "urlmill --flag idn --since 1994-01 --until 1994-02 -"],
  [["a b", "it's"], null, "urlmill --flag idn 'a b' 'it'\\''s'"],
  [["$(x)", "\u202e"], null, "urlmill --flag idn '$(x)' '\u202e'"],
  [["a", "b", "c", "d", "e", "f"], null, "urlmill --flag idn PATH"],
])("for %j in %j", (inputs, span, command) => expect(commandOf("idn", withInputs(...inputs), span)).toBe(command));
