// A stand-in for S3, for the SDK of AWS: objects in memory with ranges, ETags, conditions on reads and writes, and lists in pages. It
// believes every signature. What it does was written from the reference of S3; it is not S3.
import { createHash } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** Objects on a page of a list. */
const PAGE_OBJECTS = 3;

export class S3StandIn {
  /** Bytes by `bucket/key`. */
  readonly objects = new Map<string, Buffer>();
  /** Gives the first page of each list for all pages. */
  repeatsPages = false;
  /** Gives each page a new token, and says that another one follows. */
  hasNoEnd = false;
  #pages = 0;
  readonly #server: Server = createServer((request, answer) => void this.#serve(request, answer));

  static async open(): Promise<S3StandIn> {
    const one = new S3StandIn();
    await new Promise<void>((resolve) => one.#server.listen(0, "127.0.0.1", resolve));
    return one;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #serve(request: IncomingMessage, answer: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? "", "http://s3");
    const name = decodeURIComponent(url.pathname.slice(1));
    if (url.searchParams.get("list-type") === "2") this.#list(name.replace(/\/$/, ""), url.searchParams, answer);
    else if (request.method === "PUT") await this.#put(name, request, answer);
    else if (request.method === "DELETE") {
      this.objects.delete(name);
      answer.writeHead(204).end();
    } else this.#get(name, request, answer);
  }

  async #put(name: string, request: IncomingMessage, answer: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks);
    const isChunked = `${request.headers["x-amz-content-sha256"]}`.startsWith("STREAMING-");
    if (request.headers["if-none-match"] === "*" && this.objects.has(name)) refuse(answer, 412, "PreconditionFailed");
    else {
      const bytes = isChunked ? unchunked(body) : body;
      this.objects.set(name, bytes);
      answer.writeHead(200, { etag: etagOf(bytes) }).end();
    }
  }

  #get(name: string, { method, headers }: IncomingMessage, answer: ServerResponse): void {
    const bytes = this.objects.get(name);
    const etag = bytes && etagOf(bytes);
    const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(headers.range ?? "") ?? [];
    if (bytes === undefined) refuse(answer, 404, "NoSuchKey");
    else if ((headers["if-match"] ?? etag) !== etag) refuse(answer, 412, "PreconditionFailed");
    else if (first === undefined) answer.writeHead(200, { etag, "content-length": bytes.length }).end(method === "HEAD" ? "" : bytes);
    else if (Number(first) >= bytes.length) refuse(answer, 416, "InvalidRange");
    else {
      const part = bytes.subarray(Number(first), Number(last) + 1);
      const range = `bytes ${first}-${Number(first) + part.length - 1}/${bytes.length}`;
      answer.writeHead(206, { etag, "content-length": part.length, "content-range": range }).end(part);
    }
  }

  #list(bucket: string, query: URLSearchParams, answer: ServerResponse): void {
    const [prefix, delimiter, after] = ["prefix", "delimiter", "continuation-token"].map((name) => query.get(name) ?? "");
    const keys = [...this.objects.keys()]
      .filter((name) => name.startsWith(`${bucket}/${prefix}`))
      .map((name) => name.slice(bucket.length + 1))
      .filter((key) => delimiter === "" || !key.slice(prefix?.length).includes(delimiter ?? ""))
      .sort((one, other) => Buffer.compare(Buffer.from(one), Buffer.from(other)))
      .filter((key) => this.repeatsPages || Buffer.compare(Buffer.from(key), Buffer.from(after ?? "")) > 0);
    const page = keys.slice(0, PAGE_OBJECTS).map((key) => {
      const bytes = this.objects.get(`${bucket}/${key}`) as Buffer;
      return `<Contents><Key>${xml(key)}</Key><Size>${bytes.length}</Size><ETag>${xml(etagOf(bytes))}</ETag></Contents>`;
    });
    const isLast = keys.length <= PAGE_OBJECTS && !this.hasNoEnd;
    const token = this.hasNoEnd ? `z${this.#pages++}` : (keys[PAGE_OBJECTS - 1] ?? "");
    const next = isLast ? "" : `<NextContinuationToken>${xml(token)}</NextContinuationToken>`;
    const result = `<ListBucketResult><IsTruncated>${next !== ""}</IsTruncated>${page.join("")}${next}</ListBucketResult>`;
    answer.writeHead(200, { "content-type": "application/xml" }).end(result);
  }
}

function etagOf(bytes: Uint8Array): string {
  return `"${createHash("md5").update(bytes).digest("hex")}"`;
}

function refuse(answer: ServerResponse, status: number, code: string): void {
  answer.writeHead(status, { "content-type": "application/xml" }).end(`<Error><Code>${code}</Code><Message>${code}</Message></Error>`);
}

function xml(text: string): string {
  return text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** Takes the bytes out of the coding aws-chunked. */
function unchunked(body: Buffer): Buffer {
  const parts: Buffer[] = [];
  for (let at = 0; ; ) {
    const lineEnd = body.indexOf("\r\n", at);
    const size = Number.parseInt(body.toString("latin1", at, lineEnd), 16);
    if (!(size > 0)) return Buffer.concat(parts);
    parts.push(body.subarray(lineEnd + 2, lineEnd + 2 + size));
    at = lineEnd + 2 + size + 2;
  }
}
