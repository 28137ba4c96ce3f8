// Counts the work of a decoder: the bytes that it allocates and moves, by the constructors and methods of typed arrays.

/** Bytes that a run allocated, and wrote by `set`, `fill`, `copyWithin` and `slice`. */
export interface Work {
  allocated: number;
  moved: number;
}

type Method = (...values: never[]) => unknown;

const COUNTED = ["Uint8Array", "Int32Array", "Uint16Array", "ArrayBuffer"] as const;
const MOVES: Readonly<Record<string, (self: Uint8Array, values: readonly never[]) => number>> = {
  set: (_, [source]) => (source as Uint8Array).length,
  fill: (self, [, from = 0, to = self.length]) => Math.max(0, to - from),
  copyWithin: (self, [, from = 0, to = self.length]) => Math.max(0, to - from),
  slice: (self, [from = 0, to = self.length]) => Math.max(0, to - from),
};

/** Runs `run` and counts what it does meanwhile. Nothing else may run. */
export async function countWork(run: () => Promise<unknown>): Promise<Work> {
  const work: Work = { allocated: 0, moved: 0 };
  const globals = globalThis as unknown as Record<string, new (...values: unknown[]) => { byteLength: number }>;
  const prototype = Object.getPrototypeOf(Uint8Array.prototype) as Record<string, Method>;
  const constructors = COUNTED.map((name) => [name, globals[name] as never] as const);
  const methods = Object.keys(MOVES).map((name) => [name, prototype[name] as Method] as const);
  for (const [name, original] of constructors) {
    globals[name] = new Proxy<new (...values: unknown[]) => { byteLength: number }>(original, {
      construct(target, values, made) {
        const array = Reflect.construct(target, values, made) as { byteLength: number };
        // A view of bytes that are there allocates none.
        if (!(values[0] instanceof Object)) work.allocated += array.byteLength;
        return array;
      },
    });
  }
  for (const [name, original] of methods) {
    const bytesOf = MOVES[name] as (typeof MOVES)[string];
    prototype[name] = function (this: Uint8Array, ...values: never[]) {
      work.moved += bytesOf(this, values);
      return original.apply(this, values);
    };
  }
  try {
    await run();
  } finally {
    for (const [name, original] of constructors) globals[name] = original;
    for (const [name, original] of methods) prototype[name] = original;
  }
  return work;
}
