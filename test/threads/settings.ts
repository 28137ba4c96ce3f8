// How the tests of the pool scan, where they do not say otherwise.
import { checkNormalizeOptions, type ScanSettings } from "../../src/options.ts";

/** Everything as it is by default. */
export const SETTINGS: ScanSettings = {
  type: "auto",
  mbox: "auto",
  parts: "text",
  fields: undefined,
  form: checkNormalizeOptions(undefined),
  nested: false,
  schemes: undefined,
  extraSchemes: [],
  anyScheme: false,
  bare: [],
  guess: false,
  urlBytesMax: 16384,
  format: "plain",
  separator: 0x0a,
  rejected: false,
};
