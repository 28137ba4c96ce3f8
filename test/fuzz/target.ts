// What the fuzzer tries: a target makes trials, and says what is wrong with one.
import type fc from "fast-check";

/** Bytes, which are made smaller when they fail, and how they are read: what JSON holds. */
export interface Trial {
  readonly bytes: Buffer;
  readonly given: Readonly<Record<string, unknown>>;
}

/** A part of urlmill that is tried. */
export interface Target {
  readonly trials: fc.Arbitrary<Trial>;
  /**
   * Returns what is wrong, or null; what it throws is wrong too. The text up to the first colon names the kind of failure: bytes that are
   * made smaller must fail in the same way.
   */
  readonly check: (trial: Trial) => string | null | Promise<string | null>;
}

/** Returns what is wrong with a trial, or null. */
export async function failureOf(target: Target, trial: Trial): Promise<string | null> {
  try {
    return await target.check(trial);
  } catch (error) {
    if (!(error instanceof Error)) return `thrown: ${String(error)}`;
    // What compares names what differs; what has a code or a name of its own was thrown by what is tried.
    const isNamed = /^[\w ,]+: /.test(error.message);
    return isNamed ? error.message : `${error.name}: ${error.message} ${error.stack?.split("\n")[1]?.trim() ?? ""}`;
  }
}

/** Returns the kind of a failure. */
export function kindOf(failure: string): string {
  return failure.split(":")[0]?.replace(/\d+/g, "N") ?? "";
}
