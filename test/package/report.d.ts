// The types of report.js, which pages take as it is.
import type * as web from "../../src/web.ts";

export declare function report(library: typeof web, bytes: Uint8Array, gzipped: Uint8Array): Promise<string>;
