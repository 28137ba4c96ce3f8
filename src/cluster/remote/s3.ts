// Objects of S3, through the AWS SDK, which finds region, endpoint and credentials in its usual way.
import { createReadStream, statSync } from "node:fs";
import { tmpdir } from "node:os";
import type { S3Client } from "@aws-sdk/client-s3";
import { systemCode } from "../../base/errors.ts";
import type { Store } from "../store.ts";
import type { ObjectVersion, RemoteInput, RemoteObject } from "./remote-input.ts";
import { type Patience, RefusedAnswer, RemoteError, tried } from "./tries.ts";

const CONNECT_MS = 10_000; // Most milliseconds until a connection is made
const EMPTY_PAGES_MAX = 1000; // Most pages of a list one after the other that have no object
const SILENT_MS = 60_000; // Most milliseconds of silence on a connection

type Sdk = typeof import("@aws-sdk/client-s3");

export interface S3 {
  readonly sdk: Sdk;
  readonly client: S3Client;
}

/** Loads the SDK. If it is not installed, rejects with an error that names the package. */
export async function openS3(): Promise<S3> {
  const { env } = process;
  try {
    const sdk = await import("@aws-sdk/client-s3");
    const client = new sdk.S3Client({
      // Tries are counted here, and failures are thrown: the SDK must log nothing.
      maxAttempts: 1,
      logger: { debug: ignore, info: ignore, warn: ignore, error: ignore },
      followRegionRedirects: true,
      // A custom endpoint has no separate host name for each bucket.
      forcePathStyle: (env.AWS_ENDPOINT_URL_S3 ?? env.AWS_ENDPOINT_URL) !== undefined,
      requestHandler: { connectionTimeout: CONNECT_MS, socketTimeout: SILENT_MS },
    });
    return { sdk, client };
  } catch (error) {
    if (!/MODULE_NOT_FOUND$/.test(systemCode(error) ?? "")) throw error;
    const reason = "needs the package @aws-sdk/client-s3 beside urlmill: npm install @aws-sdk/client-s3";
    throw new RemoteError("ERR_URLMILL_REFUSED", "s3://", reason, error);
  }
}

function ignore(): void {}

/** Parses an s3:// name, which is not a URL: a key, or prefix of keys, may contain any character. Throws RemoteError for any other name. */
export function locationOf(name: string) {
  const [, bucket, key = ""] = /^s3:\/\/([^/]+)(?:\/(.*))?$/is.exec(name) ?? [];
  if (bucket === undefined) throw new RemoteError("ERR_URLMILL_REFUSED", name, "must be s3://bucket/key or s3://bucket/prefix/");
  return { bucket, key };
}

/** Throws the error of a request, as RefusedAnswer if the server has answered with a status from 300 on. */
function throwAnswer(error: unknown): never {
  const status = (error as { $metadata?: { httpStatusCode?: number } }).$metadata?.httpStatusCode ?? 0;
  if (!(error instanceof Error) || status < 300) throw error;
  // A server that waits too long for the bytes of a request answers 400, like for a wrong request.
  throw new RefusedAnswer(error.name === "RequestTimeout" ? 408 : status, error.name);
}

export function s3Object(name: string, { sdk, client }: S3): RemoteObject {
  const { bucket, key } = locationOf(name);
  const address = { Bucket: bucket, Key: key };
  return {
    name,
    mayMix: false,
    async version(abortSignal) {
      const { ContentLength, ETag } = await client.send(new sdk.HeadObjectCommand(address), { abortSignal }).catch(throwAnswer);
      return { size: ContentLength ?? 0, etag: ETag };
    },
    async read(from, to, { etag }, abortSignal) {
      const request = new sdk.GetObjectCommand({ ...address, Range: `bytes=${from}-${to - 1}`, IfMatch: etag });
      const { ContentRange, ETag, Body } = await client.send(request, { abortSignal }).catch(throwAnswer);
      const body = Body as NodeJS.ReadableStream & { destroy(): void };
      abortSignal.addEventListener("abort", () => body.destroy(), { once: true });
      return { range: ContentRange ?? null, etag: ETag, body: body as AsyncIterable<Uint8Array> };
    },
  };
}

/** Yields the objects whose keys begin with the key of a location, in byte order. Skips keys with `delimiter` in the rest of the key. */
export async function* listObjects(
  { sdk, client }: S3,
  { bucket, key }: ReturnType<typeof locationOf>,
  patience: Patience,
  delimiter?: string,
): AsyncGenerator<{ readonly key: string; readonly version: ObjectVersion }> {
  const name = `s3://${bucket}/${key}`;
  let token: string | undefined;
  let empty = 0;
  const seen = new Set<string>();
  do {
    const request = new sdk.ListObjectsV2Command({ Bucket: bucket, Prefix: key, Delimiter: delimiter, ContinuationToken: token });
    const page = await tried(name, patience, (abortSignal) => client.send(request, { abortSignal }).catch(throwAnswer));
    // The token of the next page may be new although the page is not.
    const marks = [`token ${token}`, ...(page.Contents ?? []).slice(0, 1).map(({ Key }) => `key ${Key}`)];
    empty = marks.length === 1 ? empty + 1 : 0;
    if (empty > EMPTY_PAGES_MAX || marks.some((mark) => seen.has(mark)))
      throw new RemoteError("ERR_URLMILL_REFUSED", name, "the server lists the same objects again and again");
    for (const mark of marks) seen.add(mark);
    for (const { Key = "", Size = 0, ETag } of page.Contents ?? []) yield { key: Key, version: { size: Size, etag: ETag } };
    token = page.NextContinuationToken;
  } while (token !== undefined);
}

/**
 * Returns the store of results below a prefix. An object is complete or missing, so no reader sees a part of one. `open` opens an object by
 * its name, and rejects if it is missing.
 */
export function s3Store(name: string, s3: S3, patience: Patience, open: (name: string) => Promise<RemoteInput>): Store {
  const { sdk, client } = s3;
  const location = locationOf(name.endsWith("/") ? name : `${name}/`);
  const addressOf = (file: string): { Bucket: string; Key: string } => ({ Bucket: location.bucket, Key: location.key + file });
  const nameOf = (file: string): string => `s3://${location.bucket}/${location.key}${file}`;
  return {
    unfinished: tmpdir(),
    async commit(path, file) {
      await tried(nameOf(file), patience, async (abortSignal) => {
        const body = createReadStream(path);
        const options = { Body: body, ContentLength: statSync(path).size, IfNoneMatch: "*" };
        const request = new sdk.PutObjectCommand({ ...addressOf(file), ...options });
        try {
          await client.send(request, { abortSignal }).catch(throwAnswer);
        } catch (error) {
          // 412: another writer was first, or an earlier try succeeded but its answer was lost.
          if (!(error instanceof RefusedAnswer && error.status === 412)) throw error;
        } finally {
          body.destroy();
        }
      });
    },
    async *read(file) {
      const input = await open(nameOf(file));
      yield* input.chunks(0, input.size);
    },
    async *list() {
      for await (const { key, version } of listObjects(s3, location, patience, "/"))
        yield { name: key.slice(location.key.length), size: () => version.size };
    },
    async remove(file) {
      const request = new sdk.DeleteObjectCommand(addressOf(file));
      await tried(nameOf(file), patience, (abortSignal) => client.send(request, { abortSignal }).catch(throwAnswer));
    },
  };
}
