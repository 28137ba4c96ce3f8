// Normalizes one URL with a given core: the library compares builds nowhere.
import type { UrlCore } from "../../src/core/url-core.ts";
import type { UrlForm } from "../../src/options/options.ts";
import { defaultForm, makeNormalizer, type NormalForm } from "../../src/url/normalize.ts";

/** Normalizes one URL. Throws InputError if it is no string. (N, P0) */
export function normalizeWith(core: UrlCore, url: string, form: UrlForm = defaultForm()): NormalForm {
  return makeNormalizer(core, form)(url);
}
