// Loads the thread that tries: a worker thread of Node 20 does not take the loader of TypeScript by an option.
import { register } from "tsx/esm/api";

register();
await import("./worker.ts");
