// Loaded into a run before the command: says on standard error when it reaches for the network, another program or the code of a text.
const { writeSync } = require("node:fs");

function told(name) {
  return () => {
    writeSync(2, `REACHED ${name}\n`);
    throw new Error(`${name} is not allowed`);
  };
}

const FORBIDDEN = {
  "node:net": ["connect", "createConnection", "createServer"],
  "node:dgram": ["createSocket"],
  "node:dns": ["lookup", "resolve"],
  "node:http": ["request", "get"],
  "node:https": ["request", "get"],
  "node:tls": ["connect"],
  "node:child_process": ["spawn", "spawnSync", "exec", "execSync", "execFile", "execFileSync", "fork"],
  "node:vm": ["runInThisContext", "runInNewContext", "runInContext", "compileFunction"],
};
for (const [name, methods] of Object.entries(FORBIDDEN)) {
  const owner = require(name);
  for (const method of methods) owner[method] = told(`${name} ${method}`);
}
require("node:net").Socket.prototype.connect = told("Socket.connect");
for (const name of ["fetch", "WebSocket", "EventSource", "eval"]) globalThis[name] = told(name);
globalThis.Function = new Proxy(Function, { apply: told("Function"), construct: told("Function") });
