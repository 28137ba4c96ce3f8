// The command `urlmill resolve --base URL [reference ...]`.
import { getUrlCore } from "../core/url-core.ts";
import { resolveWith } from "../url/resolve.ts";
import { type Arguments, UsageError } from "./arguments.ts";
import { answerEach, lineArguments } from "./lines.ts";

export async function runResolve(given: Arguments): Promise<number> {
  const args = lineArguments(given);
  const { base } = args.options;
  if (base === undefined) throw new UsageError("resolve needs --base URL, which references are resolved against");
  const core = getUrlCore();
  // Reports an invalid base once, not for every reference.
  const own = resolveWith(core, base, "");
  if (!own.ok) throw new UsageError(`${args.typed("base")} must be a URL, not ${JSON.stringify(base)}: ${own.code}`);
  return await answerEach("resolve", args, (input) => {
    const result = resolveWith(core, base, input);
    return result.ok ? [result.url] : ["", result.code];
  });
}
