// What the library finds in one archive, by each of its ways in, as plain data: the same module runs in Node and in the page of web.test.ts.

const recordsOf = (matches) => matches.map((match) => match.toJSON());

async function allOf(matches) {
  const found = [];
  for await (const match of matches) found.push(match);
  return recordsOf(found);
}

async function readAll(stream) {
  const reader = stream.getReader();
  const found = [];
  for (let next = await reader.read(); !next.done; next = await reader.read()) found.push(next.value);
  return recordsOf(found);
}

/** Returns what `library`, which is `urlmill` or `urlmill/web`, finds in `bytes` and in `gzipped`, the same in gzip. */
export async function report(library, bytes, gzipped) {
  const { createExtractor, extract, extractFrom, extractWebStream, normalize, normalizeLines, parse, resolve } = library;
  const names = { bare: ["domain", "email", "www"], userinfo: "redact", match: "mill|example" };
  return JSON.stringify({
    extracted: recordsOf(extract(bytes)),
    withNames: recordsOf(createExtractor(names)("at www.a.co.uk, joe@b.example or http://müller.example/ü?%41")),
    ofResponse: await allOf(extractFrom(new Response(bytes), { parts: "all", nested: true })),
    ofBlob: await allOf(extractFrom(new Blob([bytes]), { links: true, guess: true, refang: false })),
    ofGzip: await allOf(extractFrom(new Response(gzipped))),
    ofStream: await readAll(new Response(bytes).body.pipeThrough(extractWebStream())),
    normalized: ["HTTP://A.Example:80/%7ejoe/../x", "http://bücher.example/", "http://a b/"].map((url) => normalize(url)),
    lines: new TextDecoder().decode(normalizeLines(new TextEncoder().encode("HTTP://a.example\nno\nftp://B.example:21/\n"))),
    parsed: ["ftp://h.example/pub/x.tar;type=i", "gopher://h/7sel%09foo", "mailto:a@b.example?subject=x"].map((url) => parse(url)),
    resolved: resolve("http://a.example/b/c", "../d"),
  });
}
