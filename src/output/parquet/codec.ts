// What packages do of Parquet: headers of pages and the footer in Thrift, Snappy.
import type * as bytewriter from "hyparquet-writer/src/bytewriter.js";
import type * as datapage from "hyparquet-writer/src/datapage.js";
import type * as metadata from "hyparquet-writer/src/metadata.js";

/** Header of a page. */
export type PageHeader = Parameters<typeof datapage.writePageHeader>[1];
/** What the footer says of a file. */
export type FileMetadata = Parameters<typeof metadata.writeMetadata>[1];
/** What the footer says of a group of rows. */
export type RowGroup = FileMetadata["row_groups"][number];

interface Packages {
  readonly ByteWriter: typeof bytewriter.ByteWriter;
  readonly writePageHeader: typeof datapage.writePageHeader;
  readonly writeMetadata: typeof metadata.writeMetadata;
}

/** Encodes what a file is made of. */
export class Codec {
  readonly #packages: Packages;
  /** Returns bytes compressed by Snappy. */
  readonly compress: (bytes: Uint8Array) => Uint8Array;

  private constructor(packages: Packages, compress: (bytes: Uint8Array) => Uint8Array) {
    this.#packages = packages;
    this.compress = compress;
  }

  /** Loads the packages: nobody else is to wait for them. */
  static async load(): Promise<Codec> {
    const [bytes, page, footer, compress] = await Promise.all([
      import("hyparquet-writer/src/bytewriter.js"),
      import("hyparquet-writer/src/datapage.js"),
      import("hyparquet-writer/src/metadata.js"),
      loadCompressor(),
    ]);
    return new Codec({ ...bytes, ...page, ...footer }, compress);
  }

  /** Returns the header of a page as bytes. */
  headerOf(header: PageHeader): Uint8Array {
    return this.#bytesOf((writer) => this.#packages.writePageHeader(writer, header));
  }

  /** Returns the footer of a file as bytes, with its length after it. */
  footerOf(file: FileMetadata): Uint8Array {
    return this.#bytesOf((writer) => this.#packages.writeMetadata(writer, file));
  }

  #bytesOf(write: (writer: bytewriter.ByteWriter) => void): Uint8Array {
    const writer = new this.#packages.ByteWriter();
    write(writer);
    return writer.getBytes();
  }
}

/** Returns Snappy in WebAssembly; where that does not run, in JavaScript. */
async function loadCompressor(): Promise<(bytes: Uint8Array) => Uint8Array> {
  const { snappyCompressor } = await import("hysnappy");
  try {
    return snappyCompressor();
  } catch {
    return (await import("hyparquet-writer/src/snappy.js")).snappyCompress;
  }
}
