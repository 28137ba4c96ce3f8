/**
 * URLs of redirectors that a line break cut (C142), by the table of docs/unwrap.md. The URL inside is not read here.
 */

/** A host, and the path: `*` is one segment, `?` a character of one, `#` a hexadecimal digit, `@` m, s or t, `~` a `*`, `...` anything. */
const TABLE: readonly (readonly [host: RegExp, ...paths: string[]])[] = [
  [/(?:^|\.)safelinks\.protection\.(?:(?:partner\.)?outlook\.cn|outlook\.(?:com|de)|office365\.us|apps\.mil)$/, "..."],
  [/^statics(?:int)?\.teams\.cdn\.office\.net$/, "/evergreen-assets/safelinks/..."],
  [/^outlook\.office(?:365)?\.com$/, "/mail/safelink.html"],
  [/^urldefense\.(?:com|us|proofpoint\.com)$/, "/v1/url", "/v2/url", "/v3/__..."],
  [/^secure-web\.cisco\.com$/, "/*/*"],
  [/^linkprotect\.cudasvc\.com$/, "/url"],
  [/^(?:clicktime\.symantec|link\.edgepilot|urlsand\.esvalabs|scanmail\.trustwave)\.com$/, "..."],
  [/(?:^|\.)(?:protection\.sophos|hornetsecurity)\.com$/, "..."],
  [/(?:^|\.)trendmicro\.com$/, "/wis/clicktime/..."],
  [/(?:^|\.)(?:fireeye|trellix)\.com$/, "/v1/url", "/url"],
  [/^(?:url\.avanan\.click|protect\.checkpoint\.com)$/, "/v2/..."],
  [/(?:^|\.)vadesecure\.com$/, "/v4", "/safeproxy/v4"],
  [/^linklock\.titanhq\.com$/, "/analyse"],
  [/^safe\.menlosecurity\.com$/, "/https:...", "/http:..."],
  [/^deref-(?:gmx\.net|web\.de|mail\.com)$/, "/mail/client/..."],
  [/(?:^|\.)googleusercontent\.com$/, "/proxy/...", "/meips/..."],
  [/^ecp\.yusercontent\.com$/, "/mail"],
  [/(?:^|\.)awstrack\.me$/, "/L0/*/..."],
  [/^click\.redditmail\.com$/, "/CL0/*/..."],
  [/^click\.pstmrk\.it$/, ...["2", "3"].flatMap((digit) => [`/${digit}/*/...`, `/${digit}@/*/...`, `/${digit}@@/*/...`])],
  [/(?:^|\.)squarespace-mail\.com$/, "/r"],
  [/(?:^|\.)salesmanago\.(?:com|pl)$/, "/smrd.htm"],
  [/(?:^|\.)user\.com$/, "/emails/c/..."],
  [/^www\.amazon\.(?:com|de|co\.uk)$/, "/gp/r.html"],
  [/^clickserve\.dartsearch\.net$/, "/link/click"],
  [/^api\.viglink\.com$/, "/api/click"],
  [/(?:^|\.)digidip\.net$/, "/visit"],
  [/^www\.ebayadservices\.com$/, "/marketingtracking/v1/redirect"],
  [/^googleweblight\.com$/, "/", "/i"],
  [/^external-content\.duckduckgo\.com$/, "/iu", "/iu/"],
  [/^(?:(?:mobile\.)?twitter|x)\.com$/, "/i/redirect"],
  [/^link\.(?:csdn\.net|jianshu\.com|juejin\.cn|zhihu\.com)$/, "/"],
  [/(?:^|\.)mailchimp\.com$/, "/mctx/clicks"],
  [/^www\.googleadservices\.com$/, "/pagead/aclk..."],
  [/(?:^|\.)doubleclick\.net$/, "..."],
  [/^www\.awin1\.com$/, "/cread.php"],
  [/^click\.linksynergy\.com$/, "/deeplink", "/fs-bin/click"],
  [/^(?:go\.redirectingat|go\.skimresources|redirect\.viglink)\.com$/, "..."],
  [/^clk\.tradedoubler\.com$/, "/click"],
  [/^rover\.ebay\.com$/, "/rover/..."],
  [/^(?:www\.)?shareasale\.com$/, "/r.cfm"],
  [/^(?:www\.)?google\.(?:com|be|de|ee|co\.uk)$/, "/url", "/amp/?...", "/aclk"],
  [/(?:^|\.)cdn\.ampproject\.org$/, "/?/?...", "/??/?...", "/???/?..."],
  [/^translate\.google\.(?:com|be|de|co\.uk)$/, "/translate", "/translate_c", "/website"],
  [/(?:^|\.)translate\.goog$/, "..."],
  [/^(?:www\.)?bing\.com$/, "/ck/a", "/aclick", "/aclk"],
  [/(?:^|\.)search\.yahoo\.com$/, "/.../RU=..."],
  [/(?:^|\.)s?rd\.yahoo\.com$/, "/.../~http..."],
  [/^(?:html\.)?duckduckgo\.com$/, "/l", "/l/"],
  [/^(?:(?:www|m|l|lm)\.)?facebook\.com$/, "/l.php", "/flx/warn", "/flx/warn/"],
  [/^l\.messenger\.com$/, "/l.php"],
  [/^l\.(?:instagram\.com|threads\.(?:com|net))$/, "/"],
  [/^l\.wl\.co$/, "/l"],
  [/^(?:www\.)?linkedin\.com$/, "/redir/redirect", "/redir/redirect/", "/safety/go", "/safety/go/"],
  [/^out\.reddit\.com$/, "..."],
  [/^slack-redir\.net$/, "/link"],
  [/^t\.umblr\.com$/, "/redirect"],
  [/^(?:(?:www|m|away)\.)?vk\.com$/, "/away.php"],
  [/^(?:www\.|m\.)?youtube\.com$/, "/redirect"],
  [/^steamcommunity\.com$/, "/linkfilter", "/linkfilter/"],
  [/^(?:www\.)?pinterest\.com$/, "/offsite", "/offsite/"],
  [/^(?:www\.)?tiktok\.com$/, "/link/v2", "/link/v2/"],
  [/^medium\.com$/, "/r", "/r/", "/m/global-identity", "/m/global-identity-2"],
  [/^disq\.us$/, "/url"],
  [/^(?:(?:exit|gate)\.sc|href\.li|(?:www\.)?anonym\.to)$/, "/"],
  [/^(?:www\.)?bitly\.com$/, "/a/warning"],
  [/^t\.me$/, "/iv"],
  [/^getpocket\.com$/, "/redirect"],
  [/^prod\.outgoing\.prod\.webservices\.mozgcp\.net$/, `/v1/${"#".repeat(64)}/?...`],
];

const URL_PARTS = /^https?:\/\/(?:[^@/?#]*@)?([^:/?#]*)(?::[0-9]*)?([^?#]*)([?#]?)/;

const UNITS: Record<string, string> = { "...": ".*", "*": "[^/]+", "?": "[^/]", "#": "[0-9a-f]", "@": "[mst]", "~": "\\*", ".": "\\." };

/** What a path is made of, one regular expression after the other. */
function unitsOf(path: string): string[] {
  return (path.match(/\.\.\.|./g) ?? []).map((unit) => UNITS[unit] ?? unit);
}

/** Matches the units, or as many of them as there are. */
function beginningOf([unit, ...rest]: readonly string[]): string {
  return unit === undefined ? "" : `(?:${unit}${beginningOf(rest)})?`;
}

/** C142: whether a cut URL, in normal form, is a redirector's: by its path, or by what the line break left of it. */
export function isCutRedirector(url: string): boolean {
  const [, host, path = "", sign = ""] = URL_PARTS.exec(url) ?? [];
  if (host === undefined) {
    return false;
  }
  const paths = TABLE.filter(([hosts]) => hosts.test(host)).flatMap(([, ...paths]) => paths.map(unitsOf));
  return paths.some((units) => {
    const isWhole = new RegExp(`^${units.join("")}$`, "s").test(path);
    const mayBegin = sign === "" && path !== "/";
    return isWhole || (mayBegin && new RegExp(`^${beginningOf(units)}$`, "s").test(path));
  });
}

/** C206: whether a URL is one of URL Defense 3, in which nothing is nested. */
export function isMarkedRedirector(url: string): boolean {
  return /^https?:\/\/urldefense\.(?:com|us|proofpoint\.com)(?::[0-9]*)?\/v3\/__/i.test(url);
}
