// The module `urlmill/javascript`: the build of the core that runs where WebAssembly with SIMD does not. It exports nothing.
import instantiate from "#core/instantiate.js";
import instantiateUrl from "#core/instantiate-url.js";
import { setJavaScript } from "./builds-embedded.ts";

setJavaScript({ instantiate, instantiateUrl });
