// The core that notes which rules decide.
import { type Core, makeJavaScript } from "./core.ts";
import { Trace } from "./trace.ts";

let traced: { readonly core: Core; readonly trace: Trace } | undefined;

/** Returns this thread's core that notes which rules decide, and its notes. Only for scans that run no other code. */
export function tracedCore(): { readonly core: Core; readonly trace: Trace } {
  if (traced === undefined) {
    const trace = new Trace();
    traced = { core: makeJavaScript(trace), trace };
  }
  return traced;
}
