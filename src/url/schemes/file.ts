// file: a path on a host (P8); afs: a path in an AFS cell (P9).
import { TEXT, TEXTS } from "./part-types.ts";
import { decode, IN_SEGMENT, type SchemeParts, type UrlParts, withoutSlash, write } from "./parts.ts";

/** A file URL. Its `host` is empty for this computer, both for `localhost` and for no host. (P8) */
export interface FileUrl extends UrlParts {
  readonly scheme: "file";
  /** Decoded. If the path ends in `/`, the last segment is empty. */
  readonly segments: readonly string[];
}

/** Returns the segments as written; an empty path is `/` (N5). */
function split(path: string): string[] {
  return withoutSlash(path).split("/");
}

/** Reads and writes file URLs. */
export const file: SchemeParts<FileUrl> = {
  types: { segments: TEXTS },
  read: (url) => {
    const isHere = url.host?.toLowerCase() === "localhost" && url.userinfo === null && url.port === null;
    return { host: isHere ? "" : url.host, segments: split(url.path).map(decode) };
  },
  write: (url) => {
    const written = split(url.path);
    const path = url.segments.map((segment, index) => write(segment, written[index], `${IN_SEGMENT};=`)).join("/");
    return { ...url, host: url.host ?? "", path: `/${path}` };
  },
};

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
