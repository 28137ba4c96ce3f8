// The limits of compressed data and archives, as options give them.
import type { OptionValues } from "./table.ts";

/** Limits of compressed data and archives: a source that goes beyond one is left, and named (`ERR_URLMILL_LIMIT`). (A11) */
export interface ContainerOptions {
  /** Bytes of text that one source may decode to, over all its members; no limit by default. */
  expandMax?: number | undefined;
  /** Decoded bytes for each byte of the source, beyond the first 100 MiB; 1000 by default. */
  ratioMax?: number | undefined;
  /** Containers in each other; 8 by default. A compressed tar is two. */
  depthMax?: number | undefined;
  /** Members of one source, also of containers in it; 1,000,000 by default. */
  membersMax?: number | undefined;
  /**
   * Bytes of the window of zstd and xz data, from 1 MiB to 2 GiB; 128 MiB by default. A decoder has as much memory as its text needs, up to
   * the window and an eighth.
   */
  windowMax?: number | undefined;
}

/** Given limits of compressed data and archives. */
export type Expansion = Pick<OptionValues, keyof ContainerOptions>;

/** Returns these limits among all options. */
export function expansionOf({ expandMax, ratioMax, depthMax, membersMax, windowMax }: OptionValues): Expansion {
  return { expandMax, ratioMax, depthMax, membersMax, windowMax };
}
