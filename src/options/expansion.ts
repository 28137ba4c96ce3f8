// The limits of compressed data and archives, as options.
import type { OptionValues } from "./table.ts";

/** Limits of compressed data and archives. Reading a source ends with `ERR_URLMILL_LIMIT` when it exceeds one. (A11) */
export interface ContainerOptions {
  /** Most decoded bytes of one source, over all its members, as a number or as in the command: "10M"; no limit by default. */
  expandMax?: number | string | undefined;
  /** Most decoded bytes for each byte of the source, after the first 100 MiB; 1000 by default. */
  ratioMax?: number | undefined;
  /** Most containers inside each other; 8 by default. A compressed tar counts as two. */
  depthMax?: number | undefined;
  /** Most members of one source, including members of containers in it; 1,000,000 by default. */
  membersMax?: number | undefined;
  /**
   * Most bytes of the window of zstd and xz data, from 1 MiB to 2 GiB; 128 MiB by default. A decoder takes as much memory as its text
   * needs, up to 9/8 of the window.
   */
  windowMax?: number | string | undefined;
}

/** The limits of compressed data and archives that options give. An absent one is undefined: its default is in CONTAINER_LIMITS. */
export type Expansion = Pick<OptionValues, keyof ContainerOptions> & {
  /** Whether errors name options as in the library, without dashes. */
  inLibrary?: boolean;
};

/** Returns only these limits from all options. */
export function expansionOf({ expandMax, ratioMax, depthMax, membersMax, windowMax }: OptionValues): Expansion {
  return { expandMax, ratioMax, depthMax, membersMax, windowMax };
}
