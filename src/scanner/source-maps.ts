// The way back from the window to the source of an archive, and what is known of its messages.
import { MessageLog } from "./message-log.ts";
import { Mappings, type SourceMap } from "./source-map.ts";

/** From the window to text, to transferred bytes, to the source, and what stands where. */
export class SourceMaps implements SourceMap {
  readonly log = new MessageLog();
  readonly toText = new Mappings();
  readonly toTransferred = new Mappings();
  readonly toSource = new Mappings();

  startOf(decoded: number): number {
    return this.toSource.startOf(this.toTransferred.startOf(this.toText.startOf(decoded)));
  }

  endOf(decoded: number): number {
    return this.toSource.endOf(this.toTransferred.endOf(this.toText.endOf(decoded)));
  }

  firstFrom(source: number): number {
    return this.toText.firstFrom(this.toTransferred.firstFrom(this.toSource.firstFrom(source)));
  }

  drop(decoded: number): void {
    const text = this.toText.startOf(decoded);
    const transferred = this.toTransferred.startOf(text);
    this.toText.drop(decoded);
    this.toTransferred.drop(text);
    this.toSource.drop(transferred);
    this.log.drop(decoded);
  }
}
