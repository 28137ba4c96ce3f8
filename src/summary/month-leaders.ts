// The most frequent values of each month.

interface Leader {
  readonly address: number;
  readonly matches: number;
}

/** Values with the most matches of each month; of those with as many, the first by `isBefore`. A value is given by its address. */
export class MonthLeaders {
  readonly #most: number;
  readonly #isBefore: (address: number, other: number) => boolean;
  readonly #months = new Map<number, Leader[]>();

  /** `most`: values of a month. */
  constructor(most: number, isBefore: (address: number, other: number) => boolean) {
    this.#most = most;
    this.#isBefore = isBefore;
  }

  /** Takes the matches that a value has in a month. */
  add(month: number, address: number, matches: number): void {
    const leaders = this.#months.get(month) ?? [];
    this.#months.set(month, leaders);
    let at = leaders.length;
    while (at > 0 && this.#isAfter(leaders[at - 1] as Leader, address, matches)) at--;
    if (at === this.#most) return;
    leaders.splice(at, 0, { address, matches });
    if (leaders.length > this.#most) leaders.pop();
  }

  /** Returns the addresses of all of them, each once, in the order of `isBefore`. */
  addresses(): number[] {
    const addresses = new Set([...this.#months.values()].flatMap((leaders) => leaders.map(({ address }) => address)));
    return [...addresses].sort((one, other) => (this.#isBefore(one, other) ? -1 : 1));
  }

  #isAfter(leader: Leader, address: number, matches: number): boolean {
    return leader.matches === matches ? this.#isBefore(address, leader.address) : leader.matches < matches;
  }
}
