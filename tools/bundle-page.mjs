// The application in a web page: one HTML file that holds its scripts, its style, the script of its workers and the template of reports,
// so that nothing is loaded after it.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "vite";
import { writeIfChanged } from "./write-file.mjs";

/** Bundles a script, with what it loads later inside, and its style. */
async function bundle(root, entry) {
  const { output } = await build({
    root,
    configFile: false,
    logLevel: "warn",
    build: {
      write: false,
      target: "es2022",
      cssTarget: "chrome123",
      modulePreload: false,
      cssCodeSplit: false,
      // Vite's own module for chunks that are loaded later is in bundles of one chunk too.
      rolldownOptions: { input: join(root, entry), output: { format: "iife" }, onwarn: (warning, warn) => isOwn(warning) || warn(warning) },
    },
  });
  const script = output.find(({ type }) => type === "chunk");
  const style = output.find(({ fileName }) => fileName.endsWith(".css"));
  return { script: script.code, style: String(style?.source ?? "") };
}

function isOwn({ id }) {
  return id === "\0vite/preload-helper.js";
}

function hashOf(text) {
  return `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
}

/** Returns a script that no parser of HTML takes for the end of its element. */
function inScript(code) {
  return code.replaceAll("</script", "<\\/script").replaceAll("<!--", "<\\!--").trim();
}

/** Writes build/page/index.html; build/report/ must be there. */
export async function bundlePage(root) {
  const [app, worker] = await Promise.all([bundle(root, "src/page/app/app.ts"), bundle(root, "src/page/app/worker.ts")]);
  const script = inScript(app.script);
  const style = app.style.trim();
  // The template ends its own scripts: as base64 it ends none of these.
  const template = readFileSync(join(root, "build/report/template.html"));
  // Scripts by their hashes; WebAssembly; workers from a text of this page. `urlmill page` lets it fetch from there.
  const policy = [
    "default-src 'none'",
    `script-src ${hashOf(script)} 'wasm-unsafe-eval' blob:`,
    `style-src ${hashOf(style)}`,
    "worker-src blob:",
    "img-src data:",
    "connect-src 'none'",
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="data:,">
<title>urlmill</title>
<style>${style}</style>
<script type="application/json" id="archives">[]</script>
<script type="text/plain" id="report">${template.toString("base64")}</script>
<script type="text/plain" id="worker">${inScript(worker.script)}</script>
</head>
<body>
<noscript>This page reads archives with a script that is part of it, and your browser runs none.
Allow JavaScript for this page, or open it in another browser. It loads nothing and sends nothing.</noscript>
<script>${script}</script>
</body>
</html>
`;
  writeIfChanged(join(root, "build/page/index.html"), html);
}
