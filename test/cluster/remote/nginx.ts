// A real server of files with ranges and ETags: nginx, on a socket in a folder of its own. It is skipped where nginx is not installed.
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";

/** Whether nginx can be started (Debian: `apt-get install nginx-light`). */
export const HAS_NGINX: boolean = spawnSync("nginx", ["-v"]).status === 0;

/** A server that runs. */
export interface Nginx {
  readonly socketPath: string;
  stop(): Promise<void>;
}

/** Serves the files of `root`; what the server needs itself is in `folder`. */
export async function startNginx(folder: string, root: string): Promise<Nginx> {
  const socketPath = join(folder, "nginx.socket");
  const log = join(folder, "nginx.log");
  const paths = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map((name) => `${name}_temp_path ${folder}/${name};`);
  const http = `http { access_log off; ${paths.join(" ")} server { listen unix:${socketPath}; root ${root}; } }`;
  const user = process.getuid?.() === 0 ? "user root;" : "";
  const main = `daemon off; ${user} worker_processes 1; pid ${folder}/nginx.pid; error_log ${log}; events {}`;
  writeFileSync(join(folder, "nginx.conf"), `${main}\n${http}\n`);
  const child = spawn("nginx", ["-p", folder, "-c", join(folder, "nginx.conf"), "-e", log], { stdio: "ignore" });
  await untilOpen(socketPath, child);
  return {
    socketPath,
    async stop() {
      const closed = new Promise((resolve) => child.on("close", resolve));
      child.kill();
      await closed;
    },
  };
}

async function untilOpen(path: string, child: ChildProcess): Promise<void> {
  while (child.exitCode === null) {
    const isOpen = await new Promise<boolean>((resolve) => {
      const socket = connect(path, () => resolve(true)).on("error", () => resolve(false));
      socket.on("connect", () => socket.destroy());
    });
    if (isOpen) return;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  throw new Error(`nginx ended with ${child.exitCode}`);
}
