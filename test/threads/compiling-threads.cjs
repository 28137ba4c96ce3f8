// Starts worker threads, one after the other, in which V8 compiles while its heap is nearly as full as makes it begin to mark, and ends each.
// Arguments: how many; `plainly` where they are to be terminated.
const { isMainThread, parentPort, Worker } = require("node:worker_threads");

const FUNCTIONS = 60;
const STATEMENTS = 1000;
/** Objects of 800 bytes that bring the heap close to where marking begins; where exactly differs from thread to thread. */
const LEAST_OBJECTS = 1250;
const MORE_OBJECTS = 2500;

async function startThread() {
  const thread = new Worker(__filename);
  await new Promise((resolve) => thread.once("message", resolve));
  return thread;
}

async function endEach(count, isPlain) {
  const { endOnItsOwn } = await import("../../build/threads/thread-pool.js");
  for (let left = count; left > 0; left--) {
    const thread = await startThread();
    if (!isPlain) endOnItsOwn(thread);
    await thread.terminate();
    process.stdout.write(".");
  }
}

if (isMainThread) {
  void endEach(Number(process.argv[2]), process.argv[3] === "plainly");
} else {
  // The compiler makes a string of each number: it takes memory while it works.
  const functions = [];
  for (let index = 0; index < FUNCTIONS; index++) {
    const statements = [];
    for (let line = 0; line < STATEMENTS; line++) statements.push(`s=\`\${${line * FUNCTIONS + index}.2512345}\`;t+=p;`);
    functions.push(new Function("p", "isEnd", `let s="",t="";if(isEnd)return 0;${statements.join("")} return s;`));
  }
  const kept = [];
  const objects = LEAST_OBJECTS + Math.random() * MORE_OBJECTS;
  for (let index = 0; index < objects; index++) kept.push(new Array(98).fill(index));
  for (const one of functions) {
    new Function("f", "%PrepareFunctionForOptimization(f)")(one);
    one("p");
    one("p");
    new Function("f", '%OptimizeFunctionOnNextCall(f, "concurrent")')(one);
  }
  for (const one of functions) one("p", true);
  parentPort.postMessage(kept.length);
  parentPort.once("message", () => parentPort.close());
}
