// Files of trials on a web server of this thread, which gives ranges of them and cuts some answers.
import { closeSync, openSync, readSync, statSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";

/** Of so many answers one is cut. */
const CUT_EVERY = 5;
/** An answer is cut before this byte. */
const CUT_BEFORE = 200_000;

/** Serves a folder while `use` works with its URL, which ends in a slash. The same requests are answered alike. */
export async function served<T>(folder: string, use: (url: string) => Promise<T>): Promise<T> {
  let answers = 0;
  const server = createServer(({ url = "/", headers }, response) => {
    const path = join(folder, url);
    const { size } = statSync(path);
    const [, first = "", last = ""] = /^bytes=(\d+)-(\d+)$/.exec(headers.range ?? "") ?? [];
    const [from, to] = [Number(first), Math.min(size, Number(last) + 1)];
    response.setHeader("content-range", from < size ? `bytes ${from}-${to - 1}/${size}` : `bytes */${size}`);
    response.setHeader("etag", '"1"');
    if (from >= size) return void response.writeHead(416).end();
    response.writeHead(206, { "content-length": to - from });
    const length = answers++ % CUT_EVERY === 0 ? Math.min(to - from, (7919 * answers) % CUT_BEFORE) : to - from;
    const bytes = Buffer.alloc(length);
    const fd = openSync(path, "r");
    readSync(fd, bytes, 0, length, from);
    closeSync(fd);
    if (length === to - from) response.end(bytes);
    else response.write(bytes, () => response.destroy());
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  try {
    return await use(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => void server.close(resolve));
  }
}
