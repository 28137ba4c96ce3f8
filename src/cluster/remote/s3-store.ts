// Results below a prefix of S3.
import { createReadStream, statSync } from "node:fs";
import { tmpdir } from "node:os";
import type { Store, StoredFile } from "../store.ts";
import { RefusedAnswer } from "./failures.ts";
import type { RemoteInput } from "./remote-input.ts";
import { listObjects, locationOf, type S3, type S3Location, throwAnswer } from "./s3.ts";
import { type Patience, tried } from "./tries.ts";

/** Results as objects. An object is complete or missing, so no reader sees a part of one. */
export class S3Store implements Store {
  readonly unfinished = tmpdir();
  readonly #s3: S3;
  readonly #open: (name: string) => Promise<RemoteInput>;
  readonly #location: S3Location;
  readonly #patience: Patience;

  /** Takes the name of the prefix; `open` opens an object by its name, and rejects if it is missing. */
  constructor(name: string, s3: S3, patience: Patience, open: (name: string) => Promise<RemoteInput>) {
    this.#s3 = s3;
    this.#open = open;
    this.#location = locationOf(name.endsWith("/") ? name : `${name}/`);
    this.#patience = patience;
  }

  async commit(path: string, name: string): Promise<void> {
    const { sdk, client } = this.#s3;
    await tried(this.#nameOf(name), this.#patience, async (abortSignal) => {
      const body = createReadStream(path);
      const options = { Body: body, ContentLength: statSync(path).size, IfNoneMatch: "*" };
      const request = new sdk.PutObjectCommand({ ...this.#addressOf(name), ...options });
      try {
        await client.send(request, { abortSignal }).catch(throwAnswer);
      } catch (error) {
        // 412: another writer was first, or an earlier try succeeded but its answer was lost.
        if (!(error instanceof RefusedAnswer && error.status === 412)) throw error;
      } finally {
        body.destroy();
      }
    });
  }

  async *read(name: string): AsyncGenerator<Uint8Array> {
    const input = await this.#open(this.#nameOf(name));
    yield* input.chunks(0, input.size);
  }

  async *list(): AsyncGenerator<StoredFile> {
    const { key: prefix } = this.#location;
    for await (const { key, version } of listObjects(this.#s3, this.#location, this.#patience, "/"))
      yield { name: key.slice(prefix.length), size: () => version.size };
  }

  async remove(name: string): Promise<void> {
    const { sdk, client } = this.#s3;
    const request = new sdk.DeleteObjectCommand(this.#addressOf(name));
    await tried(this.#nameOf(name), this.#patience, (abortSignal) => client.send(request, { abortSignal }).catch(throwAnswer));
  }

  #addressOf(name: string): { Bucket: string; Key: string } {
    return { Bucket: this.#location.bucket, Key: this.#location.key + name };
  }

  #nameOf(name: string): string {
    return `s3://${this.#location.bucket}/${this.#location.key}${name}`;
  }
}
