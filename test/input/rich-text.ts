// Writes bodies in compressed RTF (MS-OXRTFCP), with references to what came before.
const START =
  "{\\rtf1\\ansi\\mac\\deff0\\deftab720{\\fonttbl;}{\\f0\\fnil \\froman \\fswiss \\fmodern \\fscript \\fdecor MS Sans SerifSymbolArial" +
  "Times New RomanCourier{\\colortbl\\red0\\green0\\blue0\r\n\\par \\pard\\plain\\f0\\fs20\\b\\i\\u\\tab\\tx";

/** Returns a body of at most 3,000 bytes, compressed. */
export function compressed(rtf: string): Buffer {
  const tokens: { isReference: boolean; bytes: number[] }[] = [];
  for (let at = 0; at < rtf.length; ) {
    const before = START + rtf.slice(0, at);
    let length = 17;
    while (length > 1 && (at + length > rtf.length || !before.includes(rtf.slice(at, at + length)))) length--;
    const from = before.indexOf(rtf.slice(at, at + length));
    if (length > 1) tokens.push({ isReference: true, bytes: [from >> 4, ((from & 15) << 4) | (length - 2)] });
    else tokens.push({ isReference: false, bytes: [rtf.charCodeAt(at)] });
    at += length;
  }
  const end = START.length + rtf.length;
  tokens.push({ isReference: true, bytes: [end >> 4, (end & 15) << 4] });
  const body: number[] = [];
  for (let at = 0; at < tokens.length; at += 8) {
    const run = tokens.slice(at, at + 8);
    body.push(
      run.reduce((bits, { isReference }, bit) => bits | (isReference ? 1 << bit : 0), 0),
      ...run.flatMap(({ bytes }) => bytes),
    );
  }
  const header = Buffer.alloc(16);
  header.writeUInt32LE(body.length + 12, 0);
  header.writeUInt32LE(rtf.length, 4);
  header.writeUInt32LE(0x75465a4c, 8);
  return Buffer.concat([header, Buffer.from(body)]);
}
