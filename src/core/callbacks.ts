// The functions of the host that a core calls. They use the memory of that core: names are read in HOST_REGION, and A-labels written there.
import { CODED_NOTHING, MEMBERS_LOST } from "#core/layout/mail.js";
import { HOST_REGION } from "#core/layout/memory.js";
import { loadCharacters } from "./character-tables.ts";
import { aLabelsIn } from "./idn.ts";
import { hasPublicSuffix, isBelowSuffix } from "./public-suffix.ts";

const decoder = new TextDecoder();

/** The functions of assembly/platform/callbacks.ts that a scan sets. */
interface ScanCallbacks {
  /** Set by each scan of percent-decoded text. */
  findEncodedColon(address: number): number;
  // The functions below are set by each scan with a mail decoder (decoders/mail-decoder.ts).
  takeCoded(address: number, count: number): void;
  decodeCoded(codings: number, record: number, end: number): number;
  readDecoded(address: number, most: number): number;
  nextMember(isFirst: boolean): number;
  loadCharset(length: number): boolean;
}

/** The functions that assembly/platform/callbacks.ts declares. */
export interface Callbacks extends ScanCallbacks {
  toALabels(length: number): number;
  isBelowSuffix(length: number): boolean;
  hasPublicSuffix(length: number): boolean;
  loadCharacters(table: number): void;
  /** Set by the first decoder (fillDecoderTables). */
  loadReferences(): number;
}

/** The callbacks outside a scan that needs them. */
export const NO_SCAN: Readonly<ScanCallbacks> = {
  findEncodedColon: (address) => address,
  takeCoded: () => undefined,
  decodeCoded: () => CODED_NOTHING,
  readDecoded: () => 0,
  nextMember: () => MEMBERS_LOST,
  loadCharset: () => false,
};

export function makeCallbacks(bytes: Uint8Array): Callbacks {
  const nameOf = (length: number): string => decoder.decode(bytes.subarray(HOST_REGION, HOST_REGION + length));
  return {
    toALabels: aLabelsIn(bytes),
    isBelowSuffix: (length) => isBelowSuffix(nameOf(length).toLowerCase()),
    hasPublicSuffix: (length) => hasPublicSuffix(nameOf(length).toLowerCase()),
    loadCharacters: (table) => loadCharacters(bytes, table),
    loadReferences: () => 0,
    ...NO_SCAN,
  };
}

/**
 * Returns the imports of an instance of the WebAssembly build.
 * @internal The declaration would name types that only the DOM library has.
 */
export function importsOf(memory: WebAssembly.Memory, callbacks: Callbacks): WebAssembly.Imports {
  // Looked up at each call: a scan sets them after the instance is made.
  const ofScan: ScanCallbacks = {
    findEncodedColon: (address) => callbacks.findEncodedColon(address),
    takeCoded: (address, count) => callbacks.takeCoded(address, count),
    decodeCoded: (codings, record, end) => callbacks.decodeCoded(codings, record, end),
    readDecoded: (address, most) => callbacks.readDecoded(address, most),
    // WebAssembly gives 0 or 1.
    nextMember: (isFirst) => callbacks.nextMember(Boolean(isFirst)),
    loadCharset: (length) => callbacks.loadCharset(length),
  };
  return { env: { memory }, callbacks: { ...callbacks, ...ofScan, loadReferences: () => callbacks.loadReferences() } };
}
