// Objects at http:// and https://, by Node's fetch.
import type { ObjectVersion, RemoteObject } from "./remote-input.ts";
import { RefusedAnswer, RemoteError } from "./tries.ts";

/** Throws RemoteError for a name that is no URL, and for a URL with userinfo, which would be in the plan and in the results. */
export function httpObject(name: string): RemoteObject {
  const refused = (reason: string, object = name): RemoteError => new RemoteError("ERR_URLMILL_REFUSED", object, reason);
  if (!URL.canParse(name)) throw refused("this is no URL");
  const { username, password, protocol, host } = new URL(name);
  if (`${username}${password}` !== "") throw refused("a URL has a user name or password; give it without", `${protocol}//${host}`);

  const ask = async (from: number, to: number, condition: Record<string, string> | undefined, signal: AbortSignal): Promise<Response> => {
    // Offsets count stored bytes, so the request accepts no content coding.
    const headers = { range: `bytes=${from}-${to - 1}`, "accept-encoding": "identity", ...condition };
    const response = await fetch(name, { headers, signal });
    const coding = response.headers.get("content-encoding") ?? "identity";
    if (response.ok && coding !== "identity")
      throw refused(`the server sends it as Content-Encoding: ${coding}, which has no ranges of its own`);
    return response;
  };
  const refusal = ({ status, ok, headers }: Response): Error => {
    if (ok) return refused("the server gives no ranges of it; download it, or give it to urlmill by a pipe");
    return new RefusedAnswer(status, "", 1000 * (Number(headers.get("retry-after")) || 0));
  };
  return {
    name,
    mayMix: true,
    // Requests one byte: the answer has the size, and shows whether the server supports ranges. Some servers do not answer HEAD.
    async version(signal) {
      const response = await ask(0, 1, undefined, signal);
      const { status, headers } = response;
      const range = headers.get("content-range") ?? "";
      const isEmpty = status === 416 ? range === "bytes */0" : status === 200 && headers.get("content-length") === "0";
      if (status !== 206 && !isEmpty) throw refusal(response);
      const size = isEmpty ? "0" : /\/(\d+)$/.exec(range)?.[1];
      if (size === undefined) throw refused("the server does not tell its size");
      return { size: Number(size), ...stateOf(headers) };
    },
    async read(from, to, { etag, mtime }, signal) {
      const since = mtime === undefined ? undefined : { "if-unmodified-since": new Date(mtime).toUTCString() };
      const response = await ask(from, to, etag === undefined ? since : { "if-match": etag }, signal);
      const { status, headers, body } = response;
      if (status !== 206 || body === null) throw refusal(response);
      return { range: headers.get("content-range"), ...stateOf(headers), body };
    },
  };
}

/** Returns the strong ETag, or else the time of the last write, or nothing. A weak ETag does not identify the state of an object. */
function stateOf(headers: Headers): Pick<ObjectVersion, "etag" | "mtime"> {
  const etag = headers.get("etag");
  if (etag?.startsWith('"')) return { etag };
  const mtime = Date.parse(headers.get("last-modified") ?? "");
  return Number.isNaN(mtime) ? {} : { mtime };
}
