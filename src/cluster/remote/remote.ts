// Inputs and results on servers.
import { fromAsync, resultOf, type Steps } from "../../input/steps.ts";
import type { scanFile } from "../../run/scan-file.ts";
import { type RangedInput, type RangedPart, type ScanContext, scanRanged } from "../../run/scan-source.ts";
import type { Store } from "../store.ts";
import { httpObject } from "./http-object.ts";
import { type ObjectVersion, presentVersion, RemoteInput, type RemoteObject } from "./remote-input.ts";
import { listObjects, locationOf, openS3, type S3, s3Object, s3Store } from "./s3.ts";
import { PATIENCE, type Patience } from "./tries.ts";

/** Opens the objects that one command reads and writes. Loads the SDK of S3 when it is needed. */
export class Remote {
  readonly #patience: Patience;
  #s3: Promise<S3> | undefined;

  constructor(patience: Partial<Patience> = {}) {
    this.#patience = { ...PATIENCE, ...patience };
  }

  /** Opens an object in the state `version`; without it, in its present state. */
  async open(name: string, version?: ObjectVersion): Promise<RemoteInput> {
    const object = await this.#objectOf(name);
    return new RemoteInput(object, version ?? (await presentVersion(object, this.#patience)), this.#patience);
  }

  /** Returns a function like `scanFile` that scans parts of an object in the state `version`. */
  async scannerOf(name: string, version: ObjectVersion): Promise<typeof scanFile> {
    const input = await this.open(name, version);
    return (part, context) => scanRemote(input, part, context);
  }

  /** Yields the object of a name, or the objects below a prefix of S3 in the order of their keys. */
  async *list(name: string): AsyncGenerator<RemoteInput> {
    if (!isPrefix(name)) {
      yield await this.open(name);
      return;
    }
    const location = locationOf(name);
    for await (const { key, version } of listObjects(await this.#openS3(), location, this.#patience)) {
      // Some programs create an empty object for each folder.
      if (!key.endsWith("/")) yield await this.open(`s3://${location.bucket}/${key}`, version);
    }
  }

  async store(name: string): Promise<Store> {
    return s3Store(name, await this.#openS3(), this.#patience, (object) => this.open(object));
  }

  async #objectOf(name: string): Promise<RemoteObject> {
    return isS3(name) ? s3Object(name, await this.#openS3()) : httpObject(name);
  }

  #openS3(): Promise<S3> {
    this.#s3 ??= openS3();
    return this.#s3;
  }
}

/**
 * Scans a part of `input`. The results are the same as for a file with the same bytes. Rejects if the object has changed, or if bytes are
 * missing, even at a possible end of an archive: then the caller discards the results.
 */
export function* scanRemote(input: RemoteInput, part: RangedPart, context: ScanContext): Steps<undefined> {
  const { name, size } = input;
  const chunks: RangedInput["chunks"] = (from, to) => fromAsync(input.chunks(from, to));
  yield* scanRanged({ name, size, load: input.load.bind(input), chunks }, part, context);
  if (input.failure !== undefined) throw input.failure;
  yield* resultOf(input.confirm());
}

function isS3(name: string): boolean {
  return /^s3:/i.test(name);
}

/** Returns whether a name stands for all objects of a bucket or below a prefix. */
function isPrefix(name: string): boolean {
  return isS3(name) && /^s3:\/\/[^/]+(?:\/|$)(?:.*\/)?$/is.test(name);
}
