// How the tests of the pool scan, where they do not say otherwise.
import { checkOptions, type ScanSettings } from "../../src/options/options.ts";

/** The settings of a scan without options. */
export const SETTINGS: ScanSettings = checkOptions("ExtractStream", undefined).settings;
