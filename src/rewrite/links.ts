// Relative links of HTML (C106, C107): the base of each page and the URLs of its links.
import * as code from "#core/layout/codes.js";
import type { Core } from "../core/core.ts";
import { type FoundElement, type Location, wordOf } from "../matches/batch.ts";
import { BatchBuilder, rowsWhere } from "../matches/batch-builder.ts";
import { locationAt } from "../matches/field-values.ts";
import type { UrlForm } from "../options/options.ts";
import type { MakeStep } from "../scan/scan.ts";
import type { NormalForm } from "../url/normalize.ts";
import { resolveWith } from "../url/resolve.ts";
import { rawTextAt, urlForms } from "./url-forms.ts";

/** Longest base, in characters: the limit bounds the memory for a page. */
const BASE_LENGTH_MAX = 2048;
/** A base with one of these schemes is ignored (HTML). */
const NO_BASE = /^(?:data|javascript):/i;
/** A scheme without `//` after it: the URL is relative to a base of the same scheme (C193). */
const MAYBE_RELATIVE = /^(https?|wss?|ftp):(?!\/\/)/i;

/**
 * Returns the step that resolves links, gives them the form of other URLs, and drops those whose schemes are not among `schemes`. It also
 * drops the rows that only set a base. `base`: the base of pages that have no other. (C106, C107)
 */
export function resolveLinks(form: UrlForm, base: string | undefined, schemes: ReadonlySet<string> | undefined): MakeStep {
  return ({ core }) => {
    const links = linkResolver(core, base);
    const forms = urlForms(core, form);
    return (batch) => {
      const builder = new BatchBuilder(batch);
      const isKept = (row: number): boolean => {
        const found = batch.found?.get(row);
        if (found === undefined) return true;
        const [raw, location] = [rawTextAt(batch, row), locationAt(batch, row)];
        const isLink = wordOf(batch, row, code.RECORD_KIND) === code.KIND_LINK;
        const isReported = !found.isSilent && (!isLink || forms.setLink(builder, row, links.resolve(raw, found, location), schemes));
        if (found.isBase) links.takeBase(raw, found, location);
        return isReported;
      };
      return builder.finish(rowsWhere(batch, isKept));
    };
  };
}

/** Resolves the links of a source, in their order. `ownBase`: the base of pages that have no other. */
function linkResolver(core: Core, ownBase: string | undefined) {
  /** The last document with a `base`, and the URL of its first `base`. If that URL is unusable, `base` is undefined. */
  let page: { readonly document: number; readonly base: string | undefined } = { document: -1, base: undefined };

  /** Resolves a reference as browsers do; undefined: it needs a base. */
  const resolveTo = (base: string | undefined, raw: string): ReturnType<typeof resolveWith> | undefined => {
    const [prefix = "", scheme = ""] = MAYBE_RELATIVE.exec(raw) ?? [];
    if (prefix === "") return base === undefined ? undefined : resolveWith(core, base, raw);
    const rest = raw.slice(prefix.length);
    if (base?.slice(0, prefix.length).toLowerCase() !== prefix.toLowerCase())
      return resolveWith(core, "", `${scheme}://${rest.replace(/^\/+/, "")}`);
    // A colon in the first segment ends no scheme, and a space or control character at the start belongs to the path.
    return resolveWith(core, base, /^(?:[\0- ]|[^/?#]*:)/.test(rest) ? `./${rest}` : rest);
  };

  /** Returns the address of a page, or else the base of the options. Ignores the `base` elements of the page. */
  const addressOf = (location: Location | undefined): string | undefined => location?.address || location?.message.targetUri || ownBase;

  return {
    resolve(raw: string, { document }: FoundElement, location: Location | undefined): NormalForm {
      const base = (page.document === document ? page.base : undefined) ?? addressOf(location);
      const result = resolveTo(base, raw);
      if (result === undefined) return { ok: false, code: "no-base" };
      return result.ok ? result : { ok: false, code: result.code === "overlong" ? "overlong" : "no-base" };
    },
    /** Sets the base of a document to the `href` of its first `base` element; ignores later ones. An empty `href` is no URL. */
    takeBase(raw: string, { document }: FoundElement, location: Location | undefined): void {
      if (page.document === document) return;
      const isUrl = raw !== "" && raw.length <= BASE_LENGTH_MAX && !NO_BASE.test(raw);
      const result = isUrl ? resolveTo(addressOf(location) ?? "", raw) : undefined;
      const url = result?.ok && result.url.length <= BASE_LENGTH_MAX ? result.url : undefined;
      const isBase = url !== undefined && resolveWith(core, url, "/").ok;
      page = { document, base: isBase ? url : undefined };
    },
  };
}
