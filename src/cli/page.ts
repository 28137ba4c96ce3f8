// The command `urlmill page [--port N] [path ...]`: serves the application, and archives for it to scan, to browsers of this machine.
import { randomBytes, timingSafeEqual } from "node:crypto";
import { createReadStream, readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { brotliDecompressSync } from "node:zlib";
import { SourceError, systemCode } from "../base/errors.ts";
import { type FileSource, folderReading, isSource, listSources, statsOf } from "../input/paths.ts";
import type { OptionValues } from "../options/table.ts";
import { embedded } from "../report/html.ts";
import { type Arguments, UsageError } from "./arguments.ts";
import { inputsOf } from "./extract.ts";
import { EXIT_ERROR, inSession } from "./session.ts";

const ADDRESS = "127.0.0.1";
const HTTP_PORT = 80;
const TOKEN_BYTES = 16;
/** Most bytes that one answer has of several archives: as many as the page reads together. */
const TOGETHER_BYTES = 8 << 20;
/** The element of the page that `withArchives` replaces. On other servers the page keeps it. */
const NO_ARCHIVES = '<script type="application/json" id="archives">[]</script>';
const NO_REQUESTS = "connect-src 'none'";

const BYTES_TYPE = "application/octet-stream";
const HEADERS = {
  "cache-control": "no-store",
  "content-security-policy": "frame-ancestors 'none'",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
} as const;

export async function runPage(args: Arguments): Promise<number> {
  const page = readPage();
  const archives = await listArchives(args);
  return await inSession(async ({ output, write, signal }) => {
    const token = randomBytes(TOKEN_BYTES).toString("hex");
    const server = createServer(answerer(withArchives(page, archives), archives, token));
    const port = await listen(server, args.options.port);
    write(`http://${ADDRESS}:${port}/${token}/\n`);
    await output.flush();
    await new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
    return EXIT_ERROR;
  });
}

function readPage(): string {
  try {
    // The relative path is right from build/cli/ and from build/node/.
    return brotliDecompressSync(readFileSync(join(import.meta.dirname, "../page/index.html.br"))).toString();
  } catch {
    throw new UsageError("the page is not built; npm run page in the clone builds it");
  }
}

async function listArchives(args: Arguments): Promise<FileSource[]> {
  const inputs = args.operands.length === 0 ? [] : inputsOf(args);
  const archives: FileSource[] = [];
  for (const listed of listSources(inputs, await folderReading(args.options))) {
    if (listed instanceof SourceError) throw listed;
    if (!isSource(listed)) continue;
    if (!listed.isRegular)
      throw new SourceError("ERR_URLMILL_UNREADABLE", listed.name, "is no regular file, and a page reads at any offset");
    archives.push(listed);
  }
  return archives;
}

function withArchives(page: string, archives: readonly FileSource[]): string {
  if (archives.length === 0) return page;
  const list = embedded(archives.map(({ name, size }) => ({ name, size })));
  return page.replace(NO_ARCHIVES, () => NO_ARCHIVES.replace("[]", () => list)).replace(NO_REQUESTS, NO_REQUESTS.replace("none", "self"));
}

async function listen(server: Server, port: OptionValues["port"]): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error) => {
      const where = port === 0 ? "" : ` at port ${port}`;
      reject(new Error(`the page cannot be served${where} (${systemCode(error)}); give another --port, or none`, { cause: error }));
    });
    server.listen(port, ADDRESS, resolve);
  });
  return (server.address() as AddressInfo).port;
}

function answerer(page: string, archives: readonly FileSource[], token: string): (asked: IncomingMessage, reply: ServerResponse) => void {
  return (asked, reply) => {
    const { method, url = "", headers, socket } = asked;
    const [, given = "", ...rest] = url.split("/");
    if (!isOwnHost(headers.host, socket.localPort) || !isToken(given, token)) return refuse(reply, 403);
    if (method !== "GET" && method !== "HEAD") return refuse(reply, 405);
    const name = rest.join("/");
    if (name === "") return send(reply, 200, "text/html; charset=utf-8", Buffer.from(page));
    const [, first, last] = /^archive\/(0|[1-9]\d{0,8})(?:-(0|[1-9]\d{0,8}))?$/.exec(name) ?? [];
    const archive = first === undefined ? undefined : archives[Number(first)];
    if (archive === undefined) return refuse(reply, 404);
    if (last === undefined) return sendRange(reply, method, archive, headers.range);
    const bytes = readTogether(archives.slice(Number(first), Number(last) + 1));
    return bytes === undefined ? refuse(reply, 404) : send(reply, 200, BYTES_TYPE, bytes);
  };
}

/** Returns whether the Host of a request is this server. Any other name may belong to an attacker who resolves it to this address. */
export function isOwnHost(host: string | undefined, port: number | undefined): boolean {
  // Clients omit the default port of the scheme.
  return host === `${ADDRESS}:${port}` || (port === HTTP_PORT && host === ADDRESS);
}

function isToken(given: string, token: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(token)];
  return one.length === other.length && timingSafeEqual(one, other);
}

function refuse(reply: ServerResponse, status: 403 | 404 | 405 | 416): ServerResponse {
  return send(reply, status, "text/plain; charset=utf-8", Buffer.from(`${status}\n`));
}

/** Sends an answer. Node leaves out its body if the request is HEAD. */
function send(reply: ServerResponse, status: number, type: string, bytes: Buffer): ServerResponse {
  return reply.writeHead(status, { ...HEADERS, "content-type": type, "content-length": bytes.length }).end(bytes);
}

/** Returns small archives, one after the other, or undefined if that is not possible. The page then asks for each. */
function readTogether(archives: readonly FileSource[]): Buffer | undefined {
  if (archives.length === 0 || archives.reduce((sum, { size }) => sum + size, 0) > TOGETHER_BYTES) return undefined;
  // A file may have grown.
  const isSame = ({ file, size }: FileSource): boolean => {
    const stats = statsOf(file as string | Buffer);
    return stats?.isFile() === true && stats.size === size;
  };
  try {
    return archives.every(isSame) ? Buffer.concat(archives.map(({ file }) => readFileSync(file as string | Buffer))) : undefined;
  } catch {
    return undefined;
  }
}

function sendRange(reply: ServerResponse, method: "GET" | "HEAD", { file }: FileSource, range = ""): ServerResponse {
  const path = file as string | Buffer;
  const stats = statsOf(path);
  if (stats?.isFile() !== true) return refuse(reply, 404);
  const { size } = stats;
  const asked = /^bytes=(\d{1,15})-(\d{1,15})$/.exec(range);
  const [start, end] = asked === null ? [0, size - 1] : [Number(asked[1]), Math.min(Number(asked[2]), size - 1)];
  if (asked !== null && start > end) return refuse(reply, 416);
  const contentRange = asked === null ? {} : { "content-range": `bytes ${start}-${end}/${size}` };
  const headers = { ...HEADERS, "content-type": BYTES_TYPE, "content-length": end - start + 1, ...contentRange };
  reply.writeHead(asked === null ? 200 : 206, headers);
  if (method === "HEAD" || end < start) return reply.end();
  const bytes = createReadStream(path, { start, end });
  // The status is already sent: the browser notices that bytes are missing.
  bytes.once("error", () => reply.destroy());
  reply.once("close", () => bytes.destroy());
  return bytes.pipe(reply);
}
