// Makes what fails small (delta debugging).

/** The smallest bytes that are left of some when what is not needed for `fails` to hold is taken out, in halves, quarters and so on. */
export async function minimized(bytes: Buffer, fails: (bytes: Buffer) => boolean | Promise<boolean>): Promise<Buffer> {
  let smallest = bytes;
  for (let size = bytes.length >> 1; size >= 1; size = Math.min(size >> 1, smallest.length >> 1)) {
    let hasShrunk = true;
    while (hasShrunk) {
      hasShrunk = false;
      for (let at = 0; at < smallest.length; ) {
        const shorter = Buffer.concat([smallest.subarray(0, at), smallest.subarray(at + size)]);
        if (await fails(shorter)) {
          smallest = shorter;
          hasShrunk = size <= 8;
        } else {
          at += size;
        }
      }
    }
  }
  return smallest;
}
