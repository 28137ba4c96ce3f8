// Loaded before the command: the first run of shard 1 cannot give its results their name, and that of shard 2 is killed right before.
import fs from "node:fs";
import { basename, join } from "node:path";

const { linkSync } = fs;
const folder = process.env.URLMILL_TEST_FAULTS;

fs.linkSync = (path, target) => {
  const shard = /^0000([12])-/.exec(basename(target))?.[1];
  const mark = join(folder, `faulty-${shard}`);
  if (shard !== undefined && !fs.existsSync(mark)) {
    fs.writeFileSync(mark, "");
    if (shard === "2") process.kill(process.pid, "SIGKILL");
    throw Object.assign(new Error("EIO: i/o error, link"), { code: "EIO", syscall: "link" });
  }
  linkSync(path, target);
};
