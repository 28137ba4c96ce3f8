// Shares of a length. `fc.double` chooses among all numbers that a double can be, of which nearly all are next to 0.
import fc from "fast-check";

const STEPS = 1 << 24;

/** A share of a length, from 0 to less than 1: each part of the length is as likely as the others. */
export const share: fc.Arbitrary<number> = fc.noBias(fc.nat(STEPS - 1)).map((step) => step / STEPS);

/** The same, also 1. */
export const shareToEnd: fc.Arbitrary<number> = fc.oneof({ weight: 12, arbitrary: share }, { weight: 1, arbitrary: fc.constantFrom(0, 1) });
