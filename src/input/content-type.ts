// Type, charset and base URL of the bytes of a Response, a Request or a Blob.
import { type Charset, charsetOf } from "../core/charsets.ts";
import type { SourceType } from "../options/options.ts";

/** Metadata of a source. */
export interface SourceDescription {
  readonly type?: SourceType;
  readonly charset?: Charset;
  /** The URL against which relative links of the source are resolved. */
  readonly base?: string;
}

/** Media types that decide the type of a source. `text/plain` does not, because archives are often sent with it. */
const TYPES: readonly (readonly [RegExp, SourceType])[] = [
  [/^(?:text\/html|application\/xhtml\+xml)$/, "html"],
  [/^(?:(?:text|application)\/json|[^/]+\/[^/]+\+json|application\/(?:x-)?(?:ndjson|jsonl|json-seq))$/, "json"],
  [/^(?:(?:text|application)\/xml|[^/]+\/[^/]+\+xml)$/, "xml"],
  [/^message\/(?:rfc822|global)$/, "eml"],
  [/^application\/mbox$/, "mbox"],
  [/^application\/warc$/, "warc"],
];
const CHARSET = /;[ \t]*charset[ \t]*=[ \t]*(?:"([^"]*)"|([^;," \t]+))/i;

/** Returns the metadata of a source. */
export function describeSource(source: unknown): SourceDescription {
  if (typeof source !== "object" || source === null) return {};
  const { headers, type: blobType, status, url }: Partial<Response & Blob> = source;
  const ofHeaders = typeof headers?.get === "function" ? headers.get("content-type") : undefined;
  const contentType = ofHeaders ?? ("size" in source && typeof blobType === "string" ? blobType : "");
  const essence = contentType.split(/[;,]/, 1)[0].trim().toLowerCase();
  const type = TYPES.find(([pattern]) => pattern.test(essence))?.[1];
  const [, quoted, plain] = CHARSET.exec(contentType) ?? [];
  const charset = charsetOf(quoted ?? plain ?? "");
  // The URL of a Request is the target of its body, not the origin.
  const base = typeof status === "number" && typeof url === "string" && url !== "" ? url : undefined;
  return {
    ...(type === undefined ? {} : { type }),
    ...(charset === undefined ? {} : { charset }),
    ...(base === undefined ? {} : { base }),
  };
}
