// A strict program for a page or a worker, with the types of the DOM library or of the library of workers.
import "urlmill/javascript";
import { extractFrom, extractWebStream } from "urlmill/web";

export async function main(signal: AbortSignal): Promise<string[]> {
  const found: string[] = [];
  const response = await fetch("http://a.example/");
  for await (const { raw } of extractFrom(new Response("a"), { signal })) found.push(raw);
  for await (const { raw } of extractFrom(new Blob(["a"]))) found.push(raw);
  if (response.body !== null) {
    const reader = response.body.pipeThrough(extractWebStream({ signal })).getReader();
    for (let next = await reader.read(); !next.done; next = await reader.read()) found.push(next.value.raw);
  }
  return found;
}
