// The template of reports: one HTML file with its script and its style inside, which a Content-Security-Policy names by their hashes.
import { createHash } from "node:crypto";
import { join } from "node:path";
import { build } from "vite";
import { writeIfChanged } from "./write-file.mjs";

/** Stands in the template where the summary comes. */
const PLACE = "{{summary}}";

function hashOf(text) {
  return `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
}

/** Returns a text that no parser of HTML takes for the end of its element; in strings of JavaScript it means the same. */
function inElement(name, text) {
  const safe = text.replaceAll(`</${name}`, `<\\/${name}`).replaceAll("<!--", "<\\!--").trim();
  if (safe.includes(PLACE)) throw new Error(`src/page: a bundle must not contain ${PLACE}`);
  return safe;
}

async function bundle(root) {
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
      rolldownOptions: { input: join(root, "src/page/report.ts"), output: { format: "iife", entryFileNames: "report.js" } },
    },
  });
  const script = output.find(({ type }) => type === "chunk");
  const style = output.find(({ fileName }) => fileName.endsWith(".css"));
  return { script: inElement("script", script.code), style: inElement("style", String(style.source)) };
}

/** Writes build/report/template.html. */
export async function bundleReport(root) {
  const { script, style } = await bundle(root);
  const policy = `default-src 'none'; script-src ${hashOf(script)}; style-src ${hashOf(style)}; base-uri 'none'; form-action 'none'`;
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="color-scheme" content="light dark">
<title>urlmill report</title>
<style>${style}</style>
</head>
<body>
<noscript>This report shows its numbers with a script that is part of the file, and your browser runs none.
Allow JavaScript for this file, or open it in another browser. It loads nothing and sends nothing.</noscript>
<script type="application/json" id="summary">${PLACE}</script>
<script>${script}</script>
</body>
</html>
`;
  writeIfChanged(join(root, "build/report/template.html"), html);
}
