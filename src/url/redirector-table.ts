// Redirectors: services whose URLs contain a target URL. Their hosts, their paths, and how they write the target. (N10)
import { percentDecode, percentEncode } from "./percent.ts";
import type { Reference } from "./reference.ts";

/** Returns the text that should be the URL inside a redirector's URL; empty if there is none. `url` is split from the normal form. */
type ReadTarget = (url: Reference) => string;

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

/**
 * Returns a row of REDIRECTORS. `hosts`: names separated by spaces; `*.name` is `name` and its subdomains, `*` alone all hosts. `path`: a
 * pattern with samples, or whole paths separated by spaces, which are their own samples; `*` at the end is any rest.
 */
function row(word: string, hosts: string, path: RegExp | string, read: ReadTarget, ...samples: readonly string[]): Redirector {
  const names = hosts === "*" ? [] : hosts.trim().split(/\s+/);
  const isPattern = typeof path !== "string";
  return {
    word,
    hosts: names.filter((name) => !name.startsWith("*.")),
    suffixes: names.filter((name) => name.startsWith("*.")).map((name) => name.slice("*.".length)),
    path: isPattern ? path : new RegExp(`^(?:${path.replaceAll(".", "\\.").replaceAll("*", ".*").replaceAll(" ", "|")})$`, "s"),
    samples: isPattern ? samples : path.replaceAll("*", "").split(" "),
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

const GOOGLE = GOOGLE_ENDS.replace(/\S+/g, "google.$& www.google.$&");
const TRANSLATE = GOOGLE_ENDS.replace(/\S+/g, "translate.google.$&");
const DEFENSE_HOSTS = ["urldefense.com", "urldefense.us", "urldefense.proofpoint.com"];
const DEFENSE = DEFENSE_HOSTS.join(" ");
const FACEBOOK = "facebook.com www.facebook.com m.facebook.com l.facebook.com lm.facebook.com";
const AMAZON = "ae ca cn co.jp co.uk com com.au com.br com.mx com.tr de eg es fr in it nl pl sa se sg".replace(/\S+/g, "www.amazon.$&");
const SAFE_LINKS_ENDS = "outlook.com outlook.cn outlook.de partner.outlook.cn office365.us apps.mil";
const SAFE_LINKS = SAFE_LINKS_ENDS.replace(/\S+/g, "*.safelinks.protection.$&");
const PINTEREST_ENDS = "com at ca ch cl co.kr co.uk com.au com.mx de dk es fr ie it jp nz ph pt ru se";
const PINTEREST = PINTEREST_ENDS.replace(/\S+/g, "pinterest.$& www.pinterest.$&");
const TEAMS = "statics.teams.cdn.office.net staticsint.teams.cdn.office.net";
const LINKEDIN = "linkedin.com www.linkedin.com";
const LINKEDIN_PATHS = "/redir/redirect /redir/redirect/ /safety/go /safety/go/";
const ADVERTISED = inTail("adurl");

/** The redirectors; docs/unwrap.md has the source and an example of each. */
export const REDIRECTORS: readonly Redirector[] = [
  // Services that check links of mail.
  row("safelinks", SAFE_LINKS, "*", inParameter("url")),
  row("teams.cdn", TEAMS, "/evergreen-assets/safelinks/*", inParameter("url")),
  row("outlook.office", "outlook.office.com outlook.office365.com", "/mail/safelink.html", inParameter("url")),
  row("urldefense", DEFENSE, "/v1/url", inParameter("u")),
  row("urldefense", DEFENSE, "/v2/url", readVersion2),
  row("urldefense", DEFENSE, "/v3/__*", readVersion3),
  row("cisco", "secure-web.cisco.com", /^\/[^/]+\/[^/]+$/, inPath(2), "/x/x"),
  row("cudasvc", "linkprotect.cudasvc.com", "/url", inParameter("a")),
  row("symantec", "clicktime.symantec.com", "*", inParameter("u")),
  row("sophos", "*.protection.sophos.com", "*", inBase64("u")),
  row("trendmicro", "*.trendmicro.com", "/wis/clicktime/*", inParameter("url")),
  row("fireeye", "*.fireeye.com", "/v1/url /url", inParameter("u")),
  row("trellix", "*.trellix.com", "/v1/url /url", inParameter("u")),
  row("avanan", "url.avanan.click", "/v2/*", readUnderscores),
  row("checkpoint", "protect.checkpoint.com", "/v2/*", readUnderscores),
  row("hornetsecurity", "*.hornetsecurity.com", "*", inParameter("u", "url")),
  row("edgepilot", "link.edgepilot.com", "*", inParameter("u")),
  row("esvalabs", "urlsand.esvalabs.com", "*", inParameter("u")),
  row("trustwave", "scanmail.trustwave.com", "*", inParameter("u")),
  row("vadesecure", "*.vadesecure.com", "/v4 /safeproxy/v4", inParameter("u")),
  row("titanhq", "linklock.titanhq.com", "/analyse", inParameter("url")),
  row("menlosecurity", "safe.menlosecurity.com", /^\/https?:/, inRest(1), "/https:"),
  // Web mail.
  row("deref-", "deref-gmx.net deref-web.de deref-mail.com", "/mail/client/*", inParameter("redirectUrl")),
  row("googleusercontent", "*.googleusercontent.com", "/proxy/* /meips/*", ({ fragment }) => fragment ?? ""),
  row("yusercontent", "ecp.yusercontent.com", "/mail", inParameter("url")),
  // Senders of mail, and advertisers.
  row("awstrack", "*.awstrack.me", /^\/L0\/[^/]+\//, inPath(2), "/L0/x/"),
  row("redditmail", "click.redditmail.com", /^\/CL0\/[^/]+\//, inPath(2), "/CL0/x/"),
  row("/CL0/http", "*", /^\/CL0\/https?(?::|%3A)%2F%2F[^/]+\//, inPath(2)),
  row("/lnk/", "*", /^\/lnk\/[^/]+\/\d+\/[^/]+\/aHR0c[^/]+$/, inPath(5, base64Text)),
  row("/click/", "*", /^\/click\/[\dA-Za-z.]+\/aHR0c[^/]+\/[\dA-Za-z]+$/, inPath(3, base64Text)),
  row("/Prod/link-tracker", "*", "/Prod/link-tracker", inBase64("redirectUrl")),
  row("/ahoy/messages/", "*", /^\/ahoy\/messages\/[^/]+\/click$/, inParameter("url")),
  row("pstmrk", "click.pstmrk.it", /^\/[23][mst]{0,2}\/[^/]+\//, readPostmark, "/3s/x/", "/2sm/x/"),
  row("squarespace-mail", "*.squarespace-mail.com", "/r", inParameter("u")),
  row("salesmanago", "*.salesmanago.com *.salesmanago.pl", "/smrd.htm", inParameter("url")),
  row("user.com", "*.user.com", "/emails/c/*", inParameter("to")),
  row("amazon", AMAZON, "/gp/r.html", inParameter("U")),
  row("mailchimp", "*.mailchimp.com", "/mctx/clicks", inParameter("url")),
  row("googleadservices", "www.googleadservices.com", "/pagead/aclk*", ADVERTISED),
  row("doubleclick", "*.doubleclick.net", "*", ADVERTISED),
  row("dartsearch", "clickserve.dartsearch.net", "/link/click", inTail("ds_dest_url")),
  row("awin1", "www.awin1.com", "/cread.php", inParameter("ued", "p")),
  row("linksynergy", "click.linksynergy.com", "/deeplink /fs-bin/click", inParameter("murl", "RD_PARM1")),
  row("redirectingat", "go.redirectingat.com", "*", inParameter("url")),
  row("skimresources", "go.skimresources.com", "*", inParameter("url")),
  row("viglink", "redirect.viglink.com", "*", inParameter("u")),
  row("viglink", "api.viglink.com", "/api/click", inParameter("out")),
  row("digidip", "*.digidip.net", "/visit", inParameter("url")),
  row("tradedoubler", "clk.tradedoubler.com", "/click", inParameter("url")),
  row("rover.ebay", "rover.ebay.com", "/rover/*", inParameter("mpre", "loc")),
  row("ebayadservices", "www.ebayadservices.com", "/marketingtracking/v1/redirect", inParameter("mpre")),
  row("shareasale", "shareasale.com www.shareasale.com", "/r.cfm", inParameter("urllink")),
  // Searches and translations.
  row("google", GOOGLE, "/url", inParameter("url", "q")),
  row("google", GOOGLE, /^\/amp\/./, readAmp, "/amp/x"),
  row("google", GOOGLE, "/aclk", ADVERTISED),
  row("ampproject", "*.cdn.ampproject.org", /^\/[a-z]{1,3}\/./, readAmp, "/c/x"),
  row("translate.google", TRANSLATE, "/translate /translate_c /website", inParameter("u")),
  row("translate.goog", "*.translate.goog", "*", readTranslated),
  row("googleweblight", "googleweblight.com", "/ /i", inParameter("u", "lite_url")),
  row("bing", "bing.com www.bing.com", "/ck/a", readBing),
  row("bing", "bing.com www.bing.com", "/aclick /aclk", inBase64("u")),
  row("yahoo", "*.search.yahoo.com", /^\/.*\/RU=/s, readYahoo, "/x/RU="),
  row("yahoo", "*.rd.yahoo.com *.srd.yahoo.com", /^\/.*\/\*http/s, readAfterStar, "/x/*http"),
  row("duckduckgo", "duckduckgo.com html.duckduckgo.com", "/l /l/", inParameter("uddg")),
  row("duckduckgo", "external-content.duckduckgo.com", "/iu /iu/", inParameter("u")),
  // Social networks.
  row("facebook", FACEBOOK, "/l.php", inParameter("u")),
  row("facebook", FACEBOOK, "/flx/warn /flx/warn/", inParameter("u")),
  row("messenger", "l.messenger.com", "/l.php", inParameter("u")),
  row("instagram", "l.instagram.com", "/", inParameter("u")),
  row("threads", "l.threads.com l.threads.net", "/", inParameter("u")),
  row("l.wl.co", "l.wl.co", "/l", inParameter("u")),
  row("linkedin", LINKEDIN, LINKEDIN_PATHS, inParameter("url")),
  row("twitter", "twitter.com mobile.twitter.com", "/i/redirect", inParameter("url")),
  row("x.com", "x.com", "/i/redirect", inParameter("url")),
  row("link.", "link.csdn.net link.jianshu.com link.juejin.cn link.zhihu.com", "/", inParameter("target", "t")),
  row("reddit", "out.reddit.com", "*", inParameter("url")),
  row("slack-redir", "slack-redir.net", "/link", inParameter("url")),
  row("umblr", "t.umblr.com", "/redirect", inParameter("z")),
  row("vk.com", "vk.com www.vk.com m.vk.com away.vk.com", "/away.php", inParameter("to")),
  row("youtube", "youtube.com www.youtube.com m.youtube.com", "/redirect", inParameter("q")),
  row("steamcommunity", "steamcommunity.com", "/linkfilter /linkfilter/", inParameter("url", "u")),
  row("pinterest", PINTEREST, "/offsite /offsite/", inParameter("url")),
  row("tiktok", "tiktok.com www.tiktok.com", "/link/v2 /link/v2/", inParameter("target")),
  row("medium", "medium.com", "/r /r/", inParameter("url")),
  row("medium", "medium.com", "/m/global-identity /m/global-identity-2", inParameter("redirectUrl")),
  row("disq.us", "disq.us", "/url", readDisqus),
  row("exit.sc", "exit.sc", "/", inParameter("url")),
  row("gate.sc", "gate.sc", "/", inParameter("url")),
  row("bitly", "bitly.com www.bitly.com", "/a/warning", inParameter("url")),
  row("t.me", "t.me", "/iv", inParameter("url")),
  row("getpocket", "getpocket.com", "/redirect", inParameter("url")),
  row("outgoing", "prod.outgoing.prod.webservices.mozgcp.net", /^\/v1\/[0-9a-f]{64}\/./, inRest(3), `/v1/${"0".repeat(64)}/x`),
  row("anonym.to", "anonym.to www.anonym.to", "/", ({ query }) => plainText(query ?? "")),
  row("href.li", "href.li", "/", ({ query }) => plainText(query ?? "")),
];

const MARKED = new RegExp(`^https?://(?:${DEFENSE_HOSTS.join("|").replaceAll(".", "\\.")})(?::\\d*)?/v3/__`, "i");

/** Returns whether a URL is one of URL Defense 3, which inserts marks into the target and appends others. (C206) */
export function isMarkedRedirector(url: string): boolean {
  return MARKED.test(url);
}

// The readers of the URL inside, one for each way to write it.

const ENCODED_SCHEME = /^[a-z]{3,5}%3A/i;
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Returns a function that reads the URL in the first of these parameters that has a value. */
function inParameter(...names: readonly string[]): ReadTarget {
  return ({ query }) => decodedText(names.map((name) => parameter(query, name)).find((value) => value !== "") ?? "");
}

/** Returns a function that reads the URL in a parameter in base64. The decoded text may be a percent-encoded URL. */
function inBase64(name: string): ReadTarget {
  return ({ query }) => base64Text(parameter(query, name));
}

/** Returns a function that reads the URL in one segment of the path, counted from 1. */
function inPath(segment: number, decode = decodedText): ReadTarget {
  return ({ path }) => decode(path.split("/")[segment] ?? "");
}

/** Returns a function that reads the URL in the path from a segment on, counted from 1; the query and the fragment are part of it. */
function inRest(segment: number): ReadTarget {
  return (url) => plainText(withTail(url.path.split("/").slice(segment).join("/"), url));
}

/** Reads the URL after the first `/*` in the path; the query and the fragment are part of it. */
function readAfterStar(url: Reference): string {
  return plainText(withTail(url.path.slice(url.path.indexOf("/*") + "/*".length), url));
}

/** Reads the first parameter `u`: `a1`, then base64url, as in results of Bing. */
function readBing({ query }: Reference): string {
  return base64Text(/^a1([A-Za-z0-9_-]+)(?:=|%3D)*$/.exec(parameter(query, "u"))?.[1] ?? "");
}

/** Reads version 2 of URL Defense: `-` stands for a percent sign, `_` for a slash. */
function readVersion2({ query }: Reference): string {
  return decodedText(parameter(query, "u").replaceAll("-", "%").replaceAll("_", "/"));
}

const VERSION_3 = /^__(.+?)__;([A-Za-z0-9_-]*)(?:=|%3D)*(?:!|%21)/s;
const RUN_DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
/** Shortest run, in characters: the length that the first of RUN_DIGITS stands for. */
const RUN_LEAST = 2;

/**
 * Reads version 3 of URL Defense. `*` replaces a character that mail programs change. `**` and a digit for the length replace a run of
 * such characters. The replaced characters follow the URL in base64url.
 */
function readVersion3(url: Reference): string {
  const [, marked = "", replaced = ""] = VERSION_3.exec(withTail(url.path.slice("/v3/".length), url)) ?? [];
  const text = utf8Of(base64Bytes(replaced));
  if (text === null) return "";
  const characters = [...text];
  let used = 0;
  const whole = decodedText(marked).replace(/\*(?:\*([A-Za-z0-9_-]))?/g, (_, digit: string | undefined) => {
    const from = used;
    used += digit === undefined ? 1 : RUN_DIGITS.indexOf(digit) + RUN_LEAST;
    return characters.slice(from, used).join("");
  });
  return used > characters.length ? "" : withSlashes(whole);
}

/** Reads the URL between `___` and `___.`, as Check Point writes it. */
function readUnderscores(url: Reference): string {
  const text = withTail(url.path, url);
  const start = text.indexOf("___") + 3;
  const end = text.indexOf("___.", start + 1);
  return start < 3 || end < 0 ? "" : withSlashes(plainText(text.slice(start, end)));
}

/** Reads the URL of the page in an AMP viewer or an AMP cache: `s/` before the host stands for https. */
function readAmp(url: Reference): string {
  const [, secure, rest] = /^\/(?:amp|[a-z]{1,3})\/(s\/)?(.+)$/s.exec(url.path) ?? [];
  return rest === undefined ? "" : withTail(`${secure === undefined ? "http" : "https"}://${rest}`, url);
}

/** Reads the URL of a page from the host name of Google Translate: one hyphen stands for a dot, two for a hyphen. */
function readTranslated({ authority, path, query, fragment }: Reference): string {
  const name = (authority ?? "").slice(0, -".translate.goog".length).replace(/--|-/g, (hyphens) => (hyphens === "-" ? "." : "-"));
  const parameters = query?.split("&") ?? [];
  const own = parameters.filter((one) => !one.startsWith("_x_tr_"));
  const scheme = parameters.includes("_x_tr_sch=http") ? "http" : "https";
  return withTail(`${scheme}://${name}${path}`, { query: own.length === 0 ? null : own.join("&"), fragment });
}

/**
 * Returns a function that reads the URL in a parameter whose delimiters may be percent-encoded. A URL that is not encoded reaches to the
 * end. One without a scheme gets that of the redirector.
 */
function inTail(name: string): ReadTarget {
  const parameter = new RegExp(`(?:[?&]|%3F|%26)${name}(?:=|%3D)(.*)$`, "is");
  return (url) => {
    const value = parameter.exec(withTail(url.path, url))?.[1];
    if (value === undefined) return "";
    const isPlain = /^(?:[a-z]+:)?\/\//i.test(value);
    const page = isPlain ? value : decodedText(value.split("&")[0] ?? "");
    return page.startsWith("//") ? `${url.scheme}:${page}` : page;
  };
}

/** Reads the second segment of the path of Postmark: a URL without its scheme. An `s` in the first segment means https. */
function readPostmark({ path }: Reference): string {
  const [, kind = "", target = ""] = path.split("/");
  return `${kind.includes("s") ? "https" : "http"}://${decodedText(target)}`;
}

/** Reads the URL in the path of Yahoo's search results, after `/RU=` and up to `/RK=` or `/RS=`. */
function readYahoo({ path }: Reference): string {
  return decodedText(/\/RU=(.+?)(?:\/RK=|\/RS=|$)/s.exec(path)?.[1] ?? "");
}

/** Reads the parameter `url` of Disqus: a colon and a hash value follow the URL. */
function readDisqus({ query }: Reference): string {
  return decodedText(parameter(query, "url")).replace(/:[A-Za-z0-9_-]{20,}$/, "");
}

export function withTail(path: string, { query, fragment }: Pick<Reference, "query" | "fragment">): string {
  return `${path}${query === null ? "" : `?${query}`}${fragment === null ? "" : `#${fragment}`}`;
}

/** Returns a URL with two slashes after its scheme if it has one there: some programs remove the other. */
export function withSlashes(url: string): string {
  return url.replace(/^([a-z][a-z0-9+.-]*:\/)(?!\/)/i, "$1/");
}

/** Returns the value of the first parameter with a name, as written; empty if there is none. */
function parameter(query: string | null, name: string): string {
  const found = query?.split("&").find((one) => one.startsWith(`${name}=`));
  return found?.slice(name.length + 1) ?? "";
}

/** Returns a text with its triplets decoded. Of ill-formed UTF-8, controls and bytes above 7E become triplets again. */
export function decodedText(encoded: string): string {
  if (!encoded.includes("%")) return encoded;
  const bytes = percentDecode(encoded);
  return utf8Of(bytes) ?? percentEncode(bytes, "whatwg-c0-control");
}

/** Returns a URL with its triplets decoded if the colon after its scheme is one of them. Else the triplets are the URL's own. */
export function plainText(url: string): string {
  return ENCODED_SCHEME.test(url) ? decodedText(url) : url;
}

const BASE64 = /^[A-Za-z0-9+/_-]+=*$/;

/** Decodes base64 of either alphabet, percent-encoded or not, then a URL percent-encoded in it. Any other value gives an empty text. */
export function base64Text(value: string): string {
  const encoded = decodedText(value);
  const text = BASE64.test(encoded) ? utf8Of(base64Bytes(encoded.replace(/(?<!=)=+$/, ""))) : null;
  return plainText(text ?? "");
}

function utf8Of(bytes: Uint8Array): string | null {
  try {
    return decoder.decode(bytes);
  } catch {
    return null;
  }
}

function base64Bytes(text: string): Uint8Array {
  const whole = text.length % 4 === 1 ? text.slice(0, -1) : text;
  return Uint8Array.from(atob(whole.replaceAll("-", "+").replaceAll("_", "/")), (character) => character.charCodeAt(0));
}
