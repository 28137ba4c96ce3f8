// The work of reading a hostile text, counted: the same on every machine, and twice as much for twice the bytes.
import type { Core, CoreBuild } from "../../src/core/core.ts";
import { type HostileText, scanHostile } from "../hostile/texts.ts";
import { type CoreWork, type CountingCore, coreAround, makeCountingCore } from "./core.ts";
import { nativeWork } from "./native.ts";
import type { CountingScript } from "./script.ts";

/** What reading a text took. */
export interface Work {
  /** Starts and ends of functions and turns of loops in the core. */
  readonly core: number;
  /** Bytes that single instructions of the core copied. */
  readonly coreBytes: number;
  /** Starts of functions and turns of loops in TypeScript. */
  readonly script: number;
  /** Bytes and characters that JavaScript's own methods went through. */
  readonly native: number;
}

/** The work on a quarter, a half and the whole of a text. */
export type Works = readonly [Work, Work, Work];

/** Twice the bytes may take this many times the work: numbers have more digits, searches among twice as many rows one more turn. */
const GROWTH_MAX = 2.1;
/** And the work of this share of the text, or of urlBytesMax and a quarter: scans start again at full windows, and texts end anywhere. */
const SLACK_SHARE = 0.25;
const SLACK_WORK = 4096;
/** Work for a byte of text. Whatever is repeated for every byte of a URL, a line or a window takes far more. */
const PER_BYTE_MAX: Work = { core: 50, coreBytes: 8, script: 30, native: 100 };
/** The JavaScript build is TypeScript too, and every byte that it reads is the start of a function. */
const JAVASCRIPT_PER_BYTE_MAX: Work = { ...PER_BYTE_MAX, script: 160 };
const NO_WORK: Work = { core: 0, coreBytes: 0, script: 0, native: 0 };
const KINDS = ["core", "coreBytes", "script", "native"] as const;
const WARM_UP_BYTES = 1 << 16;

/** Counts the work of one build of the core and of the library's TypeScript. */
export interface Counter {
  readonly core: Core;
  readonly script: CountingScript;
  /** Calls `run` with a core in the pool for the writer of records. */
  readonly lend: (run: () => void) => void;
  /** Counts the work of `run`, which must not wait for anything. */
  readonly count: (run: () => void) => Work;
  /** Counts the work of `run` up to each call of `mark`, and after these all of it. */
  readonly countTo: (run: (mark: () => void) => void) => Work[];
}

const noWork = (): CoreWork => ({ steps: 0, bytes: 0 });

/** Returns a counter for a build of the core and a copy of the library's TypeScript, of which the JavaScript build is a part. */
export function makeCounter(build: CoreBuild, script: CountingScript): Counter {
  const javascript = (): Core => {
    const { functions, heap, setCallbacks } = script.makeJavaScript();
    const callbacks = script.makeCallbacks(heap);
    setCallbacks(callbacks);
    return coreAround("javascript", heap.buffer as ArrayBuffer, functions, callbacks, javascript);
  };
  const ofJavaScript = (): CountingCore => ({ core: javascript(), writer: javascript(), takeWork: noWork });
  const { core, writer, takeWork } = build === "javascript" ? ofJavaScript() : makeCountingCore(script.makeCallbacks);
  const lend = (run: () => void): void => {
    script.releaseCore(writer);
    run();
    if (script.takeCore() !== writer) throw new Error("a core was not given back");
  };
  const countTo = (run: (mark: () => void) => void): Work[] => {
    const works: Work[] = [];
    let before = NO_WORK;
    const add = (native: number): void => {
      const { steps, bytes } = takeWork();
      before = {
        core: before.core + steps,
        coreBytes: before.coreBytes + bytes,
        script: before.script + script.takeSteps(),
        native,
      };
      works.push(before);
    };
    takeWork();
    script.takeSteps();
    lend(() => add(nativeWork((counted) => run(() => add(counted())))));
    return works;
  };
  return { core, script, lend, countTo, count: (run) => countTo(run)[0] as Work };
}

/** The first scan fills tables, and remembers the answers of the list of public suffixes. */
function warmUp({ core, script, lend }: Counter, text: HostileText): void {
  lend(() => scanHostile(script, core, text.make(WARM_UP_BYTES), text));
}

/** Counts the work of reading `size` bytes of a text. */
export function workOf(counter: Counter, text: HostileText, size: number): Work {
  warmUp(counter, text);
  const bytes = text.make(size);
  return counter.count(() => scanHostile(counter.script, counter.core, bytes, text));
}

/** Counts the work of reading a quarter, a half and the whole of `size` bytes of a text, each in a scan of its own. */
function worksOf(counter: Counter, text: HostileText, size: number): Works {
  return [workOf(counter, text, size / 4), workOf(counter, text, size / 2), workOf(counter, text, size)];
}

/** Counts the same in one scan of the whole. */
export function worksInOne(counter: Counter, text: HostileText, size: number): Works {
  warmUp(counter, text);
  const bytes = text.make(size);
  const works = counter.countTo((mark) => {
    scanHostile(counter.script, counter.core, bytes, text, (read) => {
      if (read === size / 4 || read === size / 2) mark();
    });
  });
  return works as unknown as Works;
}

/** Returns what of the work is more than linear: of a quarter, a half and the whole of `size` bytes. */
export function judgeGrowth([quarter, half, whole]: Works, size: number, slackBytes: number): string[] {
  return KINDS.flatMap((kind) => {
    const [first, before, after] = [quarter[kind], half[kind], whole[kind]];
    const slack = Math.max(SLACK_WORK, (after / size) * slackBytes);
    // What is begun only when a window is full makes the first bytes cheaper, what is made once makes them dearer.
    const isMore = after > GROWTH_MAX * before + slack && after - before > GROWTH_MAX * (before - first) + slack;
    return isMore ? [`${kind}: ${first}, ${before} and ${after} for ${size / 4}, ${size / 2} and ${size} bytes`] : [];
  });
}

/** Returns what of the work on `size` bytes is too much for each. */
export function judgeEachByte(build: CoreBuild, work: Work, size: number): string[] {
  return KINDS.flatMap((kind) => {
    const most = (build === "javascript" ? JAVASCRIPT_PER_BYTE_MAX : PER_BYTE_MAX)[kind];
    return work[kind] > most * size ? [`${kind}: ${work[kind]} for ${size} bytes, at most ${most} for each`] : [];
  });
}

/** Returns what is wrong with the growth of the work up to `size` bytes of a text. */
export function judgeText(counter: Counter, text: HostileText, size: number): string[] {
  const slackBytes = Math.max(size * SLACK_SHARE, 1.25 * (text.options.urlBytesMax ?? 0));
  const judge = (works: Works): string[] => [...judgeGrowth(works, size, slackBytes), ...judgeEachByte(counter.core.build, works[2], size)];
  const half = text.make(size / 2);
  const isAlike = Buffer.compare(half, text.make(size).subarray(0, half.length)) === 0;
  // One scan is cheaper than three, but tells nothing where halves differ, and complains where most is decided at the end.
  if (isAlike && judge(worksInOne(counter, text, size)).length === 0) return [];
  return judge(worksOf(counter, text, size));
}
