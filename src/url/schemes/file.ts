// file: a path on a host (P8).
import { type Components, IN_SEGMENT, textOf, type UrlParts, withoutSlash, write } from "./parts.ts";

/** A file URL; its `host` is empty for this computer, whether `localhost` or nothing is written. @see docs/rules.md P8 */
export interface FileUrl extends UrlParts {
  readonly scheme: "file";
  /** Decoded; a path that ends in `/` has an empty last one. */
  readonly segments: readonly string[];
}

/** The segments as written; an empty path is `/` (N5). */
function split(path: string): string[] {
  return withoutSlash(path).split("/");
}

/** The parts of a file URL. @see docs/rules.md P8 */
export function readFile(url: UrlParts): FileUrl {
  const isHere = url.host?.toLowerCase() === "localhost" && url.userinfo === null && url.port === null;
  return { ...url, scheme: "file", host: isHere ? "" : url.host, segments: split(url.path).map(textOf) };
}

/** The components of a file URL. @see docs/rules.md P8 */
export function writeFile(url: FileUrl): Components {
  const written = split(url.path);
  const path = url.segments.map((segment, index) => write(segment, written[index], `${IN_SEGMENT};=`)).join("/");
  return { ...url, host: url.host ?? "", path: `/${path}` };
}
