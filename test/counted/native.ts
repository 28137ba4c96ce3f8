// What JavaScript's own methods read or write: each is one call with a loop inside, which no step shows. While something runs they are
// replaced by ones that add up how many bytes or characters they were given to go through.

type Method = (this: never, ...given: never[]) => unknown;
/** `from`: where a pattern begins to look. */
type Cost = (self: { length: number }, given: readonly unknown[], result: unknown, from: number) => number;

const lengthOf = (value: unknown): number => (value as { length?: number } | null)?.length ?? 0;
const whole: Cost = (self) => self.length;
const written: Cost = (_self, _given, result) => lengthOf(result);
const taken: Cost = (_self, [first]) => lengthOf(first);

/** A search goes on to what it finds. */
const searched: Cost = (self, [, from], result) => {
  const begin = typeof from === "number" && from > 0 ? from : 0;
  const end = typeof result === "number" && result >= 0 ? result + 1 : self.length;
  return Math.max(1, end - begin);
};

const searchedBackward: Cost = (self, _given, result) => self.length - Math.max(result as number, 0);

/** One that must match where it is looked for fails at once; the loops inside a pattern are not seen. */
const matched: Cost = (self, [text], result, lastIndex) => {
  const { sticky, global } = self as unknown as RegExp;
  const from = sticky || global ? lastIndex : 0;
  if (result === null) return sticky ? 1 : 1 + lengthOf(text) - from;
  const { index, 0: match } = result as RegExpExecArray;
  return 1 + index - from + match.length;
};

const typed = Object.getPrototypeOf(Uint8Array.prototype) as object;
const arrays = {
  splice: whole,
  shift: whole,
  unshift: whole,
  sort: whole,
  indexOf: searched,
  includes: whole,
  join: whole,
  slice: written,
};

const COSTS: readonly (readonly [owner: object, costs: Readonly<Record<string, Cost>>])[] = [
  [
    typed,
    {
      set: taken,
      copyWithin: (self, [to, from, end]) => {
        const last = (end as number | undefined) ?? self.length;
        return Math.max(0, Math.min(last - (from as number), self.length - (to as number)));
      },
      slice: written,
      fill: (self, [, from, to]) => ((to as number | undefined) ?? self.length) - ((from as number | undefined) ?? 0),
      indexOf: searched,
      lastIndexOf: searchedBackward,
      includes: whole,
      sort: whole,
      join: whole,
    },
  ],
  [Buffer, { concat: written, from: (self, given) => (given[0] instanceof ArrayBuffer ? 0 : taken(self, given, undefined, 0)) }],
  [Buffer.prototype, { toString: written, latin1Slice: written, utf8Slice: written, indexOf: searched, includes: whole, equals: whole }],
  [TextDecoder.prototype, { decode: taken }],
  [TextEncoder.prototype, { encode: written, encodeInto: taken }],
  [Array.prototype, { ...arrays, concat: written, reverse: whole }],
  [
    String.prototype,
    {
      indexOf: searched,
      lastIndexOf: searchedBackward,
      includes: whole,
      split: whole,
      replace: whole,
      replaceAll: whole,
      toLowerCase: whole,
      toUpperCase: whole,
      normalize: whole,
      trim: (self, _given, result) => 1 + self.length - lengthOf(result),
      repeat: written,
    },
  ],
  [RegExp.prototype, { exec: matched }],
  [JSON, { stringify: written }],
  [String, { fromCharCode: written }],
];

/**
 * Runs `work`, which must not wait for anything, and returns the bytes and characters that JavaScript's methods went through in it.
 * `counted` tells `work` how many these are so far.
 */
export function nativeWork(work: (counted: () => number) => void): number {
  let sum = 0;
  let isCounting = true;
  const restored: (() => void)[] = [];
  for (const [owner, costs] of COSTS) {
    const methods = owner as Record<string, Method>;
    for (const [name, cost] of Object.entries(costs)) {
      const method = methods[name] as Method;
      const described = Object.getOwnPropertyDescriptor(owner, name);
      methods[name] = function (this: never, ...given: never[]) {
        const from = (this as { lastIndex?: number } | undefined)?.lastIndex ?? 0;
        const result = method.apply(this, given);
        if (isCounting) {
          // What the count itself calls is not counted.
          isCounting = false;
          sum += cost(this, given, result, from);
          isCounting = true;
        }
        return result;
      };
      restored.push(() => {
        if (described === undefined) delete methods[name];
        else Object.defineProperty(owner, name, described);
      });
    }
  }
  try {
    work(() => sum);
  } finally {
    isCounting = false;
    for (const restore of restored.reverse()) restore();
  }
  return sum;
}
