// Redirectors: services whose URLs contain a target URL. Their hosts, and how they encode the target.
import {
  base64Text,
  decodedText,
  inBase64,
  inBase64Path,
  inParameter,
  inPath,
  inRest,
  inTail,
  plainText,
  type ReadTarget,
  readAfterStar,
  readAmp,
  readBing,
  readDisqus,
  readFragment,
  readPostmark,
  readQuery,
  readTranslated,
  readUnderscores,
  readVersion2,
  readVersion3,
  readYahoo,
  withSlashes,
  withTail,
} from "./redirector-readers.ts";
import { type Reference, splitAuthority, splitReference } from "./reference.ts";

export interface Redirector {
  /** A text that each of the hosts contains, for a quick test; of a service on all hosts the start of the path. */
  readonly word: string;
  /** Whole host names, in normal form. A service without hosts and suffixes is on all hosts. */
  readonly hosts: readonly string[];
  /** Names that are hosts, and so are all their subdomains. */
  readonly suffixes: readonly string[];
  /** Matches the path in normal form. */
  readonly path: RegExp;
  /** Sample paths, to recognize the start of a path before a line break. Empty if that is not needed. */
  readonly samples: readonly string[];
  readonly read: ReadTarget;
}

/** Returns a row of REDIRECTORS. `hosts`: names separated by spaces; `*.name` is `name` and its subdomains, `*` alone all hosts. */
function row(word: string, hosts: string, path: RegExp, read: ReadTarget, ...samples: readonly string[]): Redirector {
  const names = hosts === "*" ? [] : hosts.trim().split(/\s+/);
  return {
    word,
    hosts: names.filter((name) => !name.startsWith("*.")),
    suffixes: names.filter((name) => name.startsWith("*.")).map((name) => name.slice("*.".length)),
    path,
    samples,
    read,
  };
}

const GOOGLE_ENDS = `
  com ad ae al am as at az ba be bf bg bi bj bs bt by ca cat cd cf cg ch ci cl cm cn co.ao co.bw co.ck co.cr co.id co.il co.in
  co.jp co.ke co.kr co.ls co.ma co.mz co.nz co.th co.tz co.ug co.uk co.uz co.ve co.vi co.za co.zm co.zw com.af com.ag com.ar
  com.au com.bd com.bh com.bn com.bo com.br com.bz com.co com.cu com.cy com.do com.ec com.eg com.et com.fj com.gh com.gi com.gt
  com.hk com.jm com.kh com.kw com.lb com.ly com.mm com.mt com.mx com.my com.na com.ng com.ni com.np com.om com.pa com.pe com.pg
  com.ph com.pk com.pr com.py com.qa com.sa com.sb com.sg com.sl com.sv com.tj com.tr com.tw com.ua com.uy com.vc com.vn cv cz
  de dj dk dm dz ee es fi fm fr ga ge gg gl gm gr gy hn hr ht hu ie im iq is it je jo kg ki kz la li lk lt lu lv md me mg mk ml
  mn mu mv mw ne nl no nr nu pl pn ps pt ro rs ru rw sc se sh si sk sm sn so sr st td tg tl tm tn to tt vg vu ws
`;

/** Returns the hosts of Google in all countries, with each of these prefixes. */
function google(...names: readonly string[]): string {
  const ends = GOOGLE_ENDS.trim().split(/\s+/);
  return names.flatMap((name) => ends.map((end) => `${name}google.${end}`)).join(" ");
}

const DEFENSE_HOSTS = ["urldefense.com", "urldefense.us", "urldefense.proofpoint.com"];
const DEFENSE = DEFENSE_HOSTS.join(" ");
const FACEBOOK = "facebook.com www.facebook.com m.facebook.com l.facebook.com lm.facebook.com";
const AMAZON = "ae ca cn co.jp co.uk com com.au com.br com.mx com.tr de eg es fr in it nl pl sa se sg".replace(/\S+/g, "www.amazon.$&");
const SAFE_LINKS_ENDS = "outlook.com outlook.cn outlook.de partner.outlook.cn office365.us apps.mil";
const SAFE_LINKS = SAFE_LINKS_ENDS.replace(/\S+/g, "*.safelinks.protection.$&");
const PINTEREST_ENDS = "com at ca ch cl co.kr co.uk com.au com.mx de dk es fr ie it jp nz ph pt ru se";
const PINTEREST = PINTEREST_ENDS.replace(/\S+/g, "pinterest.$& www.pinterest.$&");
const ANY = /^/;
const ADVERTISED = inTail("adurl");

/** The redirectors; docs/unwrap.md has the source and an example of each. */
export const REDIRECTORS: readonly Redirector[] = [
  // Services that check links of mail.
  row("safelinks", SAFE_LINKS, ANY, inParameter("url")),
  row(
    "teams.cdn",
    "statics.teams.cdn.office.net staticsint.teams.cdn.office.net",
    /^\/evergreen-assets\/safelinks\//,
    inParameter("url"),
    "/evergreen-assets/safelinks/",
  ),
  row("outlook.office", "outlook.office.com outlook.office365.com", /^\/mail\/safelink\.html$/, inParameter("url"), "/mail/safelink.html"),
  row("urldefense", DEFENSE, /^\/v1\/url$/, inParameter("u"), "/v1/url"),
  row("urldefense", DEFENSE, /^\/v2\/url$/, readVersion2, "/v2/url"),
  row("urldefense", DEFENSE, /^\/v3\/__/, readVersion3, "/v3/__"),
  row("cisco", "secure-web.cisco.com", /^\/[^/]+\/[^/]+$/, inPath(2), "/x/x"),
  row("cudasvc", "linkprotect.cudasvc.com", /^\/url$/, inParameter("a"), "/url"),
  row("symantec", "clicktime.symantec.com", ANY, inParameter("u")),
  row("sophos", "*.protection.sophos.com", ANY, inBase64("u")),
  row("trendmicro", "*.trendmicro.com", /^\/wis\/clicktime\//, inParameter("url"), "/wis/clicktime/"),
  row("fireeye", "*.fireeye.com", /^\/(?:v1\/)?url$/, inParameter("u"), "/v1/url", "/url"),
  row("trellix", "*.trellix.com", /^\/(?:v1\/)?url$/, inParameter("u"), "/v1/url", "/url"),
  row("avanan", "url.avanan.click", /^\/v2\//, readUnderscores, "/v2/"),
  row("checkpoint", "protect.checkpoint.com", /^\/v2\//, readUnderscores, "/v2/"),
  row("hornetsecurity", "*.hornetsecurity.com", ANY, inParameter("u", "url")),
  row("edgepilot", "link.edgepilot.com", ANY, inParameter("u")),
  row("esvalabs", "urlsand.esvalabs.com", ANY, inParameter("u")),
  row("trustwave", "scanmail.trustwave.com", ANY, inParameter("u")),
  row("vadesecure", "*.vadesecure.com", /^\/(?:safeproxy\/)?v4$/, inParameter("u"), "/v4", "/safeproxy/v4"),
  row("titanhq", "linklock.titanhq.com", /^\/analyse$/, inParameter("url"), "/analyse"),
  row("menlosecurity", "safe.menlosecurity.com", /^\/https?:/, inRest(1), "/https:"),
  // Web mail.
  row("deref-", "deref-gmx.net deref-web.de deref-mail.com", /^\/mail\/client\//, inParameter("redirectUrl"), "/mail/client/"),
  row("googleusercontent", "*.googleusercontent.com", /^\/(?:proxy|meips)\//, readFragment, "/proxy/", "/meips/"),
  row("yusercontent", "ecp.yusercontent.com", /^\/mail$/, inParameter("url"), "/mail"),
  // Senders of mail, and advertisers.
  row("awstrack", "*.awstrack.me", /^\/L0\/[^/]+\//, inPath(2), "/L0/x/"),
  row("redditmail", "click.redditmail.com", /^\/CL0\/[^/]+\//, inPath(2), "/CL0/x/"),
  row("/CL0/http", "*", /^\/CL0\/https?(?::|%3A)%2F%2F[^/]+\//, inPath(2)),
  row("/lnk/", "*", /^\/lnk\/[^/]+\/\d+\/[^/]+\/aHR0c[^/]+$/, inBase64Path(5)),
  row("/click/", "*", /^\/click\/[\dA-Za-z.]+\/aHR0c[^/]+\/[\dA-Za-z]+$/, inBase64Path(3)),
  row("/Prod/link-tracker", "*", /^\/Prod\/link-tracker$/, inBase64("redirectUrl")),
  row("/ahoy/messages/", "*", /^\/ahoy\/messages\/[^/]+\/click$/, inParameter("url")),
  row("pstmrk", "click.pstmrk.it", /^\/[23][mst]{0,2}\/[^/]+\//, readPostmark, "/3s/x/", "/2sm/x/"),
  row("squarespace-mail", "*.squarespace-mail.com", /^\/r$/, inParameter("u"), "/r"),
  row("salesmanago", "*.salesmanago.com *.salesmanago.pl", /^\/smrd\.htm$/, inParameter("url"), "/smrd.htm"),
  row("user.com", "*.user.com", /^\/emails\/c\//, inParameter("to"), "/emails/c/"),
  row("amazon", AMAZON, /^\/gp\/r\.html$/, inParameter("U"), "/gp/r.html"),
  row("mailchimp", "*.mailchimp.com", /^\/mctx\/clicks$/, inParameter("url"), "/mctx/clicks"),
  row("googleadservices", "www.googleadservices.com", /^\/pagead\/aclk/, ADVERTISED, "/pagead/aclk"),
  row("doubleclick", "*.doubleclick.net", ANY, ADVERTISED),
  row("dartsearch", "clickserve.dartsearch.net", /^\/link\/click$/, inTail("ds_dest_url"), "/link/click"),
  row("awin1", "www.awin1.com", /^\/cread\.php$/, inParameter("ued", "p"), "/cread.php"),
  row(
    "linksynergy",
    "click.linksynergy.com",
    /^\/(?:deeplink|fs-bin\/click)$/,
    inParameter("murl", "RD_PARM1"),
    "/deeplink",
    "/fs-bin/click",
  ),
  row("redirectingat", "go.redirectingat.com", ANY, inParameter("url")),
  row("skimresources", "go.skimresources.com", ANY, inParameter("url")),
  row("viglink", "redirect.viglink.com", ANY, inParameter("u")),
  row("viglink", "api.viglink.com", /^\/api\/click$/, inParameter("out"), "/api/click"),
  row("digidip", "*.digidip.net", /^\/visit$/, inParameter("url"), "/visit"),
  row("tradedoubler", "clk.tradedoubler.com", /^\/click$/, inParameter("url"), "/click"),
  row("rover.ebay", "rover.ebay.com", /^\/rover\//, inParameter("mpre", "loc"), "/rover/"),
  row(
    "ebayadservices",
    "www.ebayadservices.com",
    /^\/marketingtracking\/v1\/redirect$/,
    inParameter("mpre"),
    "/marketingtracking/v1/redirect",
  ),
  row("shareasale", "shareasale.com www.shareasale.com", /^\/r\.cfm$/, inParameter("urllink"), "/r.cfm"),
  // Searches and translations.
  row("google", google("", "www."), /^\/url$/, inParameter("url", "q"), "/url"),
  row("google", google("", "www."), /^\/amp\/./, readAmp, "/amp/x"),
  row("google", google("", "www."), /^\/aclk$/, ADVERTISED, "/aclk"),
  row("ampproject", "*.cdn.ampproject.org", /^\/[a-z]{1,3}\/./, readAmp, "/c/x"),
  row("translate.google", google("translate."), /^\/(?:translate|translate_c|website)$/, inParameter("u"), "/translate_c", "/website"),
  row("translate.goog", "*.translate.goog", ANY, readTranslated),
  row("googleweblight", "googleweblight.com", /^\/i?$/, inParameter("u", "lite_url"), "/i"),
  row("bing", "bing.com www.bing.com", /^\/ck\/a$/, readBing, "/ck/a"),
  row("bing", "bing.com www.bing.com", /^\/(?:aclick|aclk)$/, inBase64("u"), "/aclick", "/aclk"),
  row("yahoo", "*.search.yahoo.com", /^\/.*\/RU=/s, readYahoo, "/x/RU="),
  row("yahoo", "*.rd.yahoo.com *.srd.yahoo.com", /^\/.*\/\*http/s, readAfterStar, "/x/*http"),
  row("duckduckgo", "duckduckgo.com html.duckduckgo.com", /^\/l\/?$/, inParameter("uddg"), "/l/"),
  row("duckduckgo", "external-content.duckduckgo.com", /^\/iu\/?$/, inParameter("u"), "/iu/"),
  // Social networks.
  row("facebook", FACEBOOK, /^\/l\.php$/, inParameter("u"), "/l.php"),
  row("facebook", FACEBOOK, /^\/flx\/warn\/?$/, inParameter("u"), "/flx/warn/"),
  row("messenger", "l.messenger.com", /^\/l\.php$/, inParameter("u"), "/l.php"),
  row("instagram", "l.instagram.com", /^\/$/, inParameter("u")),
  row("threads", "l.threads.com l.threads.net", /^\/$/, inParameter("u")),
  row("l.wl.co", "l.wl.co", /^\/l$/, inParameter("u"), "/l"),
  row(
    "linkedin",
    "linkedin.com www.linkedin.com",
    /^\/(?:redir\/redirect|safety\/go)\/?$/,
    inParameter("url"),
    "/redir/redirect",
    "/safety/go",
  ),
  row("twitter", "twitter.com mobile.twitter.com", /^\/i\/redirect$/, inParameter("url"), "/i/redirect"),
  row("x.com", "x.com", /^\/i\/redirect$/, inParameter("url"), "/i/redirect"),
  row("link.", "link.csdn.net link.jianshu.com link.juejin.cn link.zhihu.com", /^\/$/, inParameter("target", "t")),
  row("reddit", "out.reddit.com", ANY, inParameter("url")),
  row("slack-redir", "slack-redir.net", /^\/link$/, inParameter("url"), "/link"),
  row("umblr", "t.umblr.com", /^\/redirect$/, inParameter("z"), "/redirect"),
  row("vk.com", "vk.com www.vk.com m.vk.com away.vk.com", /^\/away\.php$/, inParameter("to"), "/away.php"),
  row("youtube", "youtube.com www.youtube.com m.youtube.com", /^\/redirect$/, inParameter("q"), "/redirect"),
  row("steamcommunity", "steamcommunity.com", /^\/linkfilter\/?$/, inParameter("url", "u"), "/linkfilter/"),
  row("pinterest", PINTEREST, /^\/offsite\/?$/, inParameter("url"), "/offsite/"),
  row("tiktok", "tiktok.com www.tiktok.com", /^\/link\/v2\/?$/, inParameter("target"), "/link/v2"),
  row("medium", "medium.com", /^\/r\/?$/, inParameter("url"), "/r/"),
  row("medium", "medium.com", /^\/m\/global-identity(?:-2)?$/, inParameter("redirectUrl"), "/m/global-identity-2"),
  row("disq.us", "disq.us", /^\/url$/, readDisqus, "/url"),
  row("exit.sc", "exit.sc", /^\/$/, inParameter("url")),
  row("gate.sc", "gate.sc", /^\/$/, inParameter("url")),
  row("bitly", "bitly.com www.bitly.com", /^\/a\/warning$/, inParameter("url"), "/a/warning"),
  row("t.me", "t.me", /^\/iv$/, inParameter("url"), "/iv"),
  row("getpocket", "getpocket.com", /^\/redirect$/, inParameter("url"), "/redirect"),
  row("outgoing", "prod.outgoing.prod.webservices.mozgcp.net", /^\/v1\/[0-9a-f]{64}\/./, inRest(3), `/v1/${"0".repeat(64)}/x`),
  row("anonym.to", "anonym.to www.anonym.to", /^\/$/, readQuery),
  row("href.li", "href.li", /^\/$/, readQuery),
];

export const REDIRECTOR_NAMES: ReadonlySet<string> = new Set(REDIRECTORS.flatMap(({ hosts, suffixes }) => [...hosts, ...suffixes]));

const SUFFIXED = REDIRECTORS.filter(({ suffixes }) => suffixes.length > 0);

// A host in another form than the normal one has a triplet or a non-ASCII character.
const HOST_WORD = new RegExp(`${REDIRECTORS.map(({ word }) => word.replaceAll(".", "\\.")).join("|")}|%|[^\\0-\\x7f]`, "i");

/** Returns false for most URLs that are no redirector's, quickly. */
export function mayRedirect(url: string): boolean {
  return HOST_WORD.test(url);
}

/** The scheme of a web URL without two slashes after it, which browsers add. */
const LACKS_SLASH = /^(https?:)\/?(?!\/)/i;

/** Returns the text that should be the URL inside a redirector's URL, or null if there is none. (N10) */
export function targetOf(normalForm: string): string | null {
  const url = splitReference(normalForm);
  if (!isWebUrl(url)) return null;
  const { host } = splitAuthority(url.authority);
  const found = REDIRECTORS.find((one) => (hasHost(one, host) || isOnAllHosts(one)) && one.path.test(url.path));
  return found?.read(url)?.replace(LACKS_SLASH, "$1//") ?? null;
}

function isWebUrl(url: Reference): url is Reference & { readonly authority: string } {
  return url.authority !== null && (url.scheme === "http" || url.scheme === "https");
}

/**
 * Returns whether a URL in normal form, cut by a line break, is a redirector's. Without a query and a fragment its path may be the start of
 * a redirector's. (C142)
 */
export function isCutRedirector(normalForm: string): boolean {
  const url = splitReference(normalForm);
  if (!isWebUrl(url)) return false;
  const { host } = splitAuthority(url.authority);
  const { path, query, fragment } = url;
  const isOpen = path.length > 1 && query === null && fragment === null;
  return REDIRECTORS.some((one) => hasHost(one, host) && (one.path.test(path) || (isOpen && mayBegin(one, path))));
}

/** Returns whether a path with the end of a sample after it is a redirector's. */
function mayBegin({ path: whole, samples }: Redirector, path: string): boolean {
  return samples.some((sample) => Array.from(sample).some((_, index) => whole.test(path + sample.slice(index))));
}

export function isRedirectorHost(host: string): boolean {
  return REDIRECTOR_NAMES.has(host) || SUFFIXED.some((one) => hasHost(one, host));
}

function isOnAllHosts({ hosts, suffixes }: Redirector): boolean {
  return hosts.length + suffixes.length === 0;
}

/** The first four characters of the paths of redirectors on all hosts. */
export const PATH_STARTS: readonly string[] = REDIRECTORS.filter(isOnAllHosts).map(({ word }) => word.slice(0, 4));

function hasHost({ hosts, suffixes }: Redirector, host: string): boolean {
  return hosts.includes(host) || suffixes.some((suffix) => host === suffix || host.endsWith(`.${suffix}`));
}

const MARKED = new RegExp(`^https?://(?:${DEFENSE_HOSTS.join("|").replaceAll(".", "\\.")})(?::\\d*)?/v3/__`, "i");

/** Returns whether a URL is one of URL Defense 3, which inserts marks into the target and appends others. (C206) */
export function isMarkedRedirector(url: string): boolean {
  return MARKED.test(url);
}

// URLs in URLs of any host: what `unwrap: "any"` takes for the target of a redirect. (C209)

/** The host of archived copies of pages. A copy is not the page (C130). */
const ARCHIVE = "web.archive.org";

const ABSOLUTE = /^(?:https?|ftp):\/\/[^/]/i;
const SCHEME = /^(?:https?|ftp):$/i;
/** The start of `http`, `Http`, `HTTP`, `ftp:`, `Ftp:` and `FTP:` in base64. */
const BASE64_SCHEME = /^(?:aHR0c|SHR0c|SFRUU|ZnRwO|RnRwO|RlRQO)/;
/** Most times that a value is percent-decoded. */
const ENCODED_MOST = 3;

/** Names of parameters with the target of a redirect. */
const TARGET_NAMES = /^(?:dest|destination|goto|link|redir|redirect|target|to|u|url)=/i;
/** Names of parameters with a picture that the page shows. */
const PICTURE_NAMES = /^(?:image|img|media|src)=/i;

/** Returns the order in which a parameter is looked at. */
function rankOf(parameter: string): number {
  return TARGET_NAMES.test(parameter) ? 0 : PICTURE_NAMES.test(parameter) ? 2 : 1;
}

/** Yields the absolute URLs in a web URL in normal form, unchecked: first those in the query, then those in the path. (C209) */
export function* targetsIn(normalForm: string): Generator<string> {
  const url = splitReference(normalForm);
  if (!isWebUrl(url) || splitAuthority(url.authority).host === ARCHIVE) return;
  const { path, query } = url;
  if (query !== null && isAbsolute(plainText(query))) yield plainText(query);
  const parameters = query?.split("&") ?? [];
  for (const parameter of parameters.toSorted((one, other) => rankOf(one) - rankOf(other))) {
    const target = urlIn(parameter.slice(parameter.indexOf("=") + 1));
    if (target !== null) yield target;
  }
  const segments = path.split("/");
  for (const [index, segment] of segments.entries()) {
    const from = (end?: number): string => withSlashes(plainText(segments.slice(index, end).join("/")));
    // Three segments show whether it is a URL: the scheme, the empty one between two slashes, and the host.
    const isWhole = SCHEME.test(decodedText(segment) ?? "") && isAbsolute(from(index + 3));
    const target = isWhole ? withTail(from(), url) : urlIn(segment);
    if (target !== null) yield target;
  }
}

function isAbsolute(text: string): boolean {
  return ABSOLUTE.test(text);
}

/** Returns the absolute URL in a value, which may be plain, percent-encoded or base64; else null. */
function urlIn(value: string): string | null {
  let text = value;
  for (let decoded = 0; decoded < ENCODED_MOST; decoded++) {
    text = decodedText(text) ?? "";
    if (isAbsolute(text)) return text;
  }
  const decoded = BASE64_SCHEME.test(value) ? base64Text(value) : null;
  return decoded !== null && isAbsolute(decoded) ? decoded : null;
}
