// As builds-embedded.ts, in Node: the JavaScript build is always there. Only src/ itself and bundles for Node load it.
import "./javascript.ts";

export * from "./builds-embedded.ts";
