// afs: a file system (P9).
import { TEXT } from "./part-types.ts";
import { decode, type SchemeParts, type UrlParts, write } from "./parts.ts";

/** An afs URL. (P9) */
export interface AfsUrl extends UrlParts {
  readonly scheme: "afs";
  /** The host, decoded. */
  readonly cell: string;
}

/** Reads and writes afs URLs. */
export const afs: SchemeParts<AfsUrl> = {
  types: { cell: TEXT },
  read: (url) => ({ cell: decode(url.host ?? "") }),
  write: (url) => ({ ...url, host: write(url.cell, url.host, "") }),
};
