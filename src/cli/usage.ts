// Texts of --help and --version.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { RULES_VERSION, UNICODE_VERSION } from "../core/names.ts";

const FORM_HELP = `      --profile NAME          how URLs are normalized: rfc3986 (default), rfc1738, whatwg, surt; none: as written
      --unwrap                the URL inside a redirector's (SafeLinks, urldefense, Google)
      --strip-tracking        without query parameters that only track
      --strip-fragment        without the fragment
      --strip-www             without www. before the host
      --sort-query            query parameters in the order of their names
      --userinfo keep|redact|strip  redact puts *** in the place of a password
`;

/** Text of `urlmill --help`. */
export const EXTRACT_HELP = `urlmill [options] [path ...]              extract URLs, one normalized URL a line
urlmill normalize [options] [url ...]     normalize URLs from the arguments or from the lines of standard input
urlmill parse [url ...]                   the parts of URLs, one JSON object a line
urlmill resolve --base URL [ref ...]      references in the context of a base, one URL a line
urlmill help [command]                    the options of a command

No path, or -, reads standard input; a folder is read with all that is in it. Mail, news and web archives are taken
apart, gzip, bzip2, xz, zstd, zip and tar are opened, also in each other.

  -f, --format plain|ndjson   a URL a line, or a record with its place, message, raw form, kind and flags
${FORM_HELP}      --nested                URLs inside others too, behind the one that they stand in
  -s, --scheme LIST           report only these schemes: http,https,news; +name adds one to the known ones
      --any-scheme            also unknown schemes, before // and a host
      --bare LIST             also text without a scheme: www,email,domain
      --guess                 join URLs that hard-wrapped lines of plain text broke: a heuristic, kind guessed
      --url-bytes-max N       longest URL that is looked at, 256 to 1048576 bytes (16384)
      --type TYPE             auto (by the first bytes), text, html, mbox, eml, maildir, news, warc
      --mbox auto|rd|o|cl     how an mbox marks its messages (auto is rd; cl: by Content-Length)
      --parts text|all        which parts of messages are read
      --fields LIST           the fields of records, in this order; also from,subject,newsgroups,list_id
  -j, --threads N             worker threads (the cores this process may use); the output is the same for every N
  -o, --output FILE           written beside FILE and renamed when complete; kept when single inputs could not be read
      --rejected FILE         candidates that were not reported, and what was left out, as NDJSON, with the reason
      --stats                 one JSON object on standard error at the end
  -0, --null                  a NUL byte behind each URL of plain, in the place of a line feed
      --fail-fast             stop at the first input that cannot be read
  -q, --quiet                 only errors on standard error
  -h, --help
  -V, --version               also the versions of the rules and of Unicode

Exit code: 0 something found, 1 nothing found, 2 an error (also when one input of several could not be read), 130 interrupted.
`;

/** Text of `urlmill normalize --help`. */
export const NORMALIZE_HELP = `urlmill normalize [options] [url ...]

URLs come from the arguments or, one a line, from standard input. One normalized URL a line, in order.
A refused one gives an empty line and is named on standard error.

${FORM_HELP}  -q, --quiet                 only errors on standard error
  -h, --help
  -V, --version               also the versions of the rules and of Unicode

Exit code: 0 all normalized, 2 one was refused, 130 interrupted.
`;

/** Text of `urlmill parse --help`. */
export const PARSE_HELP = `urlmill parse [url ...]

URLs come from the arguments or, one a line, from standard input. One JSON object a line, in order: the URL's components and the parts of
its scheme (docs/schemes.md), or {"input","error":{"code","offset"}}, which is also named on standard error.

  -q, --quiet                 only errors on standard error
  -h, --help
  -V, --version               also the versions of the rules and of Unicode

Exit code: 0 all parsed, 2 one was refused, 130 interrupted.
`;

/** Text of `urlmill resolve --help`. */
export const RESOLVE_HELP = `urlmill resolve --base URL [reference ...]

References come from the arguments or, one a line, from standard input. One resolved URL a line, in order (RFC 3986 section 5.2).
One without a target gives an empty line and is named on standard error.

  -b, --base URL              what references are resolved against
  -q, --quiet                 only errors on standard error
  -h, --help
  -V, --version               also the versions of the rules and of Unicode

Exit code: 0 all resolved, 2 one was refused, 130 interrupted.
`;

/** Text of `--version`: the package, the rules and Unicode. */
export function versionText(): string {
  const text = readFileSync(join(import.meta.dirname, "../../package.json"), "utf8");
  const { version } = JSON.parse(text) as { version: string };
  return `urlmill ${version} (rules ${RULES_VERSION}, Unicode ${UNICODE_VERSION})\n`;
}
