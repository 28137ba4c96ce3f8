// Objects at http:// and https://, by Node's fetch.

import type { ObjectVersion, RangeAnswer, RemoteObject } from "./remote-input.ts";
import { RefusedAnswer, RemoteError } from "./tries.ts";

export class HttpObject implements RemoteObject {
  readonly name: string;
  readonly mayMix = true;

  /** Throws RemoteError for a name that is no URL, and for a URL with userinfo, which would be in the plan and in the results. */
  constructor(name: string) {
    this.name = name;
    const url = URL.canParse(name) ? new URL(name) : undefined;
    if (url === undefined) throw new RemoteError("ERR_URLMILL_REFUSED", name, "this is no URL");
    if (`${url.username}${url.password}` !== "")
      throw new RemoteError("ERR_URLMILL_REFUSED", `${url.protocol}//${url.host}`, "a URL has a user name or password; give it without");
  }

  /** Requests one byte: the answer has the size, and shows whether the server supports ranges. Some servers do not answer HEAD. */
  async version(signal: AbortSignal): Promise<ObjectVersion> {
    const response = await this.#ask(0, 1, {}, signal);
    const { status, headers } = response;
    const isEmpty = status === 416 ? headers.get("content-range") === "bytes */0" : status === 200 && headers.get("content-length") === "0";
    if (status === 206 || isEmpty) {
      const size = isEmpty ? "0" : /\/(\d+)$/.exec(headers.get("content-range") ?? "")?.[1];
      if (size === undefined) throw new RemoteError("ERR_URLMILL_REFUSED", this.name, "the server does not tell its size");
      return { size: Number(size), ...stateOf(headers) };
    }
    throw this.#refusal(response);
  }

  async read(from: number, to: number, { etag, mtime }: ObjectVersion, signal: AbortSignal): Promise<RangeAnswer> {
    const since = mtime === undefined ? undefined : { "if-unmodified-since": new Date(mtime).toUTCString() };
    const response = await this.#ask(from, to, etag === undefined ? since : { "if-match": etag }, signal);
    const { status, headers, body } = response;
    if (status !== 206 || body === null) throw this.#refusal(response);
    return { range: headers.get("content-range"), ...stateOf(headers), body };
  }

  async #ask(from: number, to: number, condition: Record<string, string> | undefined, signal: AbortSignal): Promise<Response> {
    // Offsets count stored bytes, so the request accepts no content coding.
    const headers = { range: `bytes=${from}-${to - 1}`, "accept-encoding": "identity", ...condition };
    const response = await fetch(this.name, { headers, signal });
    const coding = response.headers.get("content-encoding") ?? "identity";
    if (response.ok && coding !== "identity")
      throw new RemoteError(
        "ERR_URLMILL_REFUSED",
        this.name,
        `the server sends it as Content-Encoding: ${coding}, which has no ranges of its own`,
      );
    return response;
  }

  #refusal({ status, ok, headers }: Response): Error {
    const reason = "the server gives no ranges of it; download it, or give it to urlmill by a pipe";
    if (ok) return new RemoteError("ERR_URLMILL_REFUSED", this.name, reason);
    return new RefusedAnswer(status, "", 1000 * (Number(headers.get("retry-after")) || 0));
  }
}

/** Returns the strong ETag, or else the time of the last write, or nothing. A weak ETag does not identify the state of an object. */
function stateOf(headers: Headers): Pick<ObjectVersion, "etag" | "mtime"> {
  const etag = headers.get("etag");
  if (etag?.startsWith('"')) return { etag };
  const mtime = Date.parse(headers.get("last-modified") ?? "");
  return Number.isNaN(mtime) ? {} : { mtime };
}
