// The most frequent values of each month.

/** Values with the most matches of each month; of those with as many, the first by `isBefore`. A value is given by its address. */
export class MonthLeaders {
  readonly #most: number;
  readonly #isBefore: (address: number, other: number) => boolean;
  /** By the index of a month: how many there are. Each month has `most` places in the other arrays. */
  readonly #counts: Int32Array;
  readonly #addresses: Int32Array;
  readonly #matches: Float64Array;

  /** `most`: values of a month. */
  constructor(months: number, most: number, isBefore: (address: number, other: number) => boolean) {
    this.#most = most;
    this.#isBefore = isBefore;
    this.#counts = new Int32Array(months);
    this.#addresses = new Int32Array(months * most);
    this.#matches = new Float64Array(months * most);
  }

  /** Takes the matches that a value has in the month of an index. */
  add(month: number, address: number, matches: number): void {
    const first = month * this.#most;
    const end = first + this.#counts[month];
    const last = first + this.#most - 1;
    let place = end;
    while (place > first && this.#isAfter(place - 1, address, matches)) place--;
    if (place > last) return;
    this.#addresses.copyWithin(place + 1, place, Math.min(end, last));
    this.#matches.copyWithin(place + 1, place, Math.min(end, last));
    this.#addresses[place] = address;
    this.#matches[place] = matches;
    if (end <= last) this.#counts[month] = end + 1 - first;
  }

  /** Returns the addresses of all of them, each once, in the order of `isBefore`. */
  addresses(): number[] {
    const addresses = new Set<number>();
    for (const [month, count] of this.#counts.entries()) {
      const first = month * this.#most;
      for (const address of this.#addresses.subarray(first, first + count)) addresses.add(address);
    }
    return [...addresses].sort((one, other) => (this.#isBefore(one, other) ? -1 : 1));
  }

  #isAfter(place: number, address: number, matches: number): boolean {
    const other = this.#matches[place];
    return other === matches ? this.#isBefore(address, this.#addresses[place]) : other < matches;
  }
}
