// Finds regular expressions that backtrack: a repeated text that two ways through the expression match makes a failing search quadratic,
// cubic or exponential in it. The expression becomes an automaton without memory of groups; a pair of its states that one text leads from
// the first to itself, from the first to the second, and from the second to itself, is such a text (Weber and Seidl, 1991).

/** Matches one character of the sample. */
type Characters = (character: string) => boolean;
type Node =
  | { readonly kind: "characters"; readonly matches: Characters }
  | { readonly kind: "sequence" | "choice"; readonly nodes: readonly Node[] }
  | { readonly kind: "repeat"; readonly node: Node; readonly least: number; readonly most: number }
  | { readonly kind: "look"; readonly node: Node; readonly isNegative: boolean };

/** Stands for the start and the end of the text, which no set of characters matches. */
const START = "start";
const END = "end";
/** Characters of different classes: all of ASCII and Latin-1, and some that classes by property tell apart. */
const SAMPLE = [
  ...Array.from({ length: 256 }, (_, code) => String.fromCodePoint(code)),
  ..."\u0130\u017f\u212a\u2028\u200b\u202e\ue000\ufeff\uff0b\ud800",
];
/** Turns of a bounded repetition that are looked at. */
const TURNS = 3;
/** Repetitions up to this many turns cost no more than that. */
const FEW = 64;

/** Returns what the JavaScript syntax of an expression says. Throws for syntax that no expression here has. */
function parse(source: string, flags: string): Node {
  let at = 0;
  const setOf = (set: string): Characters => {
    const one = new RegExp(`^(?:${set})$`, flags.replace(/[gym]/g, ""));
    return (character) => one.test(character);
  };
  const empty: Node = { kind: "sequence", nodes: [] };
  const anchor = (character: string): Node => ({ kind: "characters", matches: (other) => other === character });
  /** What is before must be another character, or the start. */
  const unlessAfter = (matches: Characters): Node => ({
    kind: "choice",
    nodes: [anchor(START), { kind: "characters", matches: (one) => one !== START && one !== END && !matches(one) }],
  });
  const choice = (): Node => {
    const nodes = [sequence()];
    while (source[at] === "|") {
      at++;
      nodes.push(sequence());
    }
    return nodes.length === 1 ? (nodes[0] as Node) : { kind: "choice", nodes };
  };
  const sequence = (): Node => {
    const nodes: Node[] = [];
    if (source.startsWith("\\b", at)) {
      at += 2;
      nodes.push(unlessAfter(setOf("\\w")));
    }
    while (at < source.length && source[at] !== "|" && source[at] !== ")") nodes.push(repeated(atom()));
    return { kind: "sequence", nodes };
  };
  const repeated = (node: Node): Node => {
    const [text = "", sign, least, comma, most] = /^(?:([*+?])|\{(\d+)(,?)(\d*)\})\??/.exec(source.slice(at)) ?? [];
    if (text === "") return node;
    at += text.length;
    if (sign !== undefined) return { kind: "repeat", node, least: sign === "+" ? 1 : 0, most: sign === "?" ? 1 : Number.POSITIVE_INFINITY };
    const end = comma === "" ? Number(least) : most === "" ? Number.POSITIVE_INFINITY : Number(most);
    return { kind: "repeat", node, least: Number(least), most: end };
  };
  const group = (): Node => {
    const [text = "", kind = ""] = /^\((\?(?:[:=!]|<[=!]|<\w+>))?/.exec(source.slice(at)) ?? [];
    at += text.length;
    const node = choice();
    at++;
    const [only = node] = node.kind === "sequence" && node.nodes.length === 1 ? node.nodes : [];
    if (kind === "?<!" && only.kind === "characters") return unlessAfter(only.matches);
    return /[=!]$/.test(kind) ? { kind: "look", node, isNegative: kind.endsWith("!") } : node;
  };
  const atom = (): Node => {
    const rest = source.slice(at);
    if (rest[0] === "(") return group();
    const [text = ""] =
      /^(?:\[(?:\\.|[^\]\\])*\]|\\(?:u\{[^}]*\}|u[\da-f]{4}|x[\da-f]{2}|[pP]\{[^}]*\}|k<\w+>|c[a-z]|.)|.)/isu.exec(rest) ?? [];
    at += text.length;
    if (text === "^") return flags.includes("m") ? empty : anchor(START);
    if (text === "$")
      return flags.includes("m") ? { kind: "choice", nodes: [anchor(END), { kind: "characters", matches: setOf("\\n") }] } : anchor(END);
    return /^\\(?:[bB1-9]|k<)/.test(text) ? empty : { kind: "characters", matches: setOf(text) };
  };
  const node = choice();
  if (at < source.length) throw new Error(`cannot read ${source} from ${at} on`);
  return node;
}

interface State {
  /** States that are reached without a character. */
  readonly free: number[];
  matches?: Characters;
  next?: number;
}

/** The automaton of an expression. `end` accepts. */
class Automaton {
  readonly states: State[] = [];
  readonly end: number;
  readonly start: number;

  constructor(node: Node, isSticky: boolean) {
    this.end = this.#state();
    this.start = this.#build(node, this.end);
    if (isSticky) return;
    // A search begins at each character.
    const search = this.#state(this.start);
    Object.assign(this.states[search] as State, { matches: (one: string) => one !== END && one !== START, next: search });
    this.start = search;
  }

  #state(...free: number[]): number {
    return this.states.push({ free }) - 1;
  }

  /** Returns the first state of a node that goes on to `to`. */
  #build(node: Node, to: number): number {
    switch (node.kind) {
      case "characters":
        return this.states.push({ free: [], matches: node.matches, next: to }) - 1;
      case "sequence":
        return node.nodes.reduceRight((next, one) => this.#build(one, next), to);
      case "choice":
        return this.#state(...node.nodes.map((one) => this.#build(one, to)));
      case "look":
        // As if what follows came after the text that must follow; what must not follow is another way, which ends.
        return node.isNegative ? this.#state(this.#build(node.node, this.#state()), to) : this.#build(node.node, to);
      case "repeat":
        return this.#repeat(node.node, node.least, node.most, to);
    }
  }

  #repeat(node: Node, least: number, most: number, to: number): number {
    let next = to;
    if (most > FEW) {
      const loop = this.#state(to);
      this.states[loop]?.free.push(this.#build(node, loop));
      next = loop;
    } else for (let turn = Math.min(least, TURNS); turn < Math.min(most, TURNS); turn++) next = this.#state(this.#build(node, next), to);
    for (let turn = 0; turn < Math.min(least, TURNS); turn++) next = this.#build(node, next);
    return next;
  }

  /** Returns the states with characters that are reached from a state without one, once for each way; -1 for the end. */
  closure(from: number): number[] {
    const found: number[] = [];
    const walk = (state: number, path: readonly number[]): void => {
      if (path.includes(state)) return;
      if (state === this.end) found.push(-1);
      const { free, matches } = this.states[state] as State;
      if (matches !== undefined) found.push(state);
      for (const one of free) walk(one, [...path, state]);
    };
    walk(from, []);
    return found;
  }
}

/** The steps of an automaton: for each class of characters and each state, the states after it. */
type Steps = readonly (readonly (readonly number[])[])[];

/** Returns a text that an expression may go through in more than one way and then fail, which it tries in all ways. */
export function backtracking({ source, flags }: RegExp): string | undefined {
  const automaton = new Automaton(parse(source, flags), flags.includes("y"));
  const { states } = automaton;
  const key = (character: string): string => states.map(({ matches }) => (matches?.(character) === true ? 1 : 0)).join("");
  const classes = [...new Map(SAMPLE.toReversed().map((one) => [key(one), one])).values(), START, END];
  const steps = classes.map((one) => states.map(({ matches, next = 0 }) => (matches?.(one) === true ? automaton.closure(next) : [])));
  const after = (from: Iterable<number>): Set<number> => {
    const found = new Set<number>();
    const add = (state: number): void => {
      for (const step of steps)
        for (const one of step[state] ?? []) {
          if (one < 0 || found.has(one)) continue;
          found.add(one);
          add(one);
        }
    };
    for (const one of from) add(one);
    return found;
  };
  const begun = automaton.closure(automaton.start);
  const reached = new Set([...begun, ...after(begun)]);
  const ahead = new Map([...reached].map((state) => [state, after([state])]));
  const repeated = [...reached].filter((state) => ahead.get(state)?.has(state));
  for (const first of repeated)
    for (const second of repeated) {
      if (!ahead.get(first)?.has(second)) continue;
      const isOf = (state: number, one: number): boolean => ahead.get(state)?.has(one) === true && ahead.get(one)?.has(state) === true;
      const word = ambiguity(first, second, steps, isOf);
      if (word === undefined) continue;
      let last = new Set([second]);
      for (const index of word) last = new Set([...last].flatMap((state) => steps[index]?.[state] ?? []));
      if (
        canFail(
          last,
          steps.filter((_, index) => classes[index] !== START),
        )
      )
        return word.map((index) => classes[index]).join("");
    }
  return undefined;
}

/**
 * Returns a text that leads from `first` to both and from `second` to itself, in numbers of classes; for the same state, one that does so
 * in two ways. `isOf`: whether two states are on one circle.
 */
function ambiguity(first: number, second: number, steps: Steps, isOf: (state: number, one: number) => boolean): number[] | undefined {
  const seen = new Set<string>();
  let ends: { at: readonly [number, number, number]; word: number[]; isForked: boolean }[] = [
    { at: [first, first, second], word: [], isForked: false },
  ];
  while (ends.length > 0) {
    const next: typeof ends = [];
    for (const { at, word, isForked } of ends)
      for (const [index, step] of steps.entries()) {
        const [ones, twos, threes] = at.map((state) => step[state] ?? []) as [number[], number[], number[]];
        for (const [a, one] of ones.entries()) {
          if (one < 0 || !isOf(first, one)) continue;
          for (const [b, two] of twos.entries()) {
            if (two < 0) continue;
            const forked = isForked || (first === second && (at[0] !== at[1] || a !== b));
            for (const three of threes) {
              if (three < 0 || !isOf(second, three)) continue;
              const made = [...word, index];
              if (one === first && two === second && three === second && (first !== second || forked)) return made;
              const key = `${one} ${two} ${three} ${forked}`;
              if (seen.has(key)) continue;
              seen.add(key);
              next.push({ at: [one, two, three], word: made, isForked: forked });
            }
          }
        }
      }
    ends = next;
  }
  return undefined;
}

/** Returns whether some text leads from these states to none before one of them accepts. */
function canFail(from: ReadonlySet<number>, steps: Steps): boolean {
  const seen = new Set<string>();
  const waiting = [from];
  for (const set of waiting) {
    const key = [...set].sort((one, other) => one - other).join(" ");
    if (set.has(-1) || seen.has(key)) continue;
    if (set.size === 0) return true;
    seen.add(key);
    for (const step of steps) waiting.push(new Set([...set].flatMap((state) => step[state] ?? [])));
  }
  return false;
}
