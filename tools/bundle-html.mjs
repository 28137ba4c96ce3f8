// HTML files that load nothing: the template of reports, and the application in a web page. Their scripts and styles stand in the file, and
// its policy names them by their hashes.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress } from "node:zlib";
import { build } from "vite";
import { noticesOf, packagesOf } from "./generate-notices.mjs";
import { writeIfChanged } from "./write-file.mjs";

/** Stands in the template where the summary comes. */
const PLACE = "{{summary}}";

/**
 * Bundles a script, with what it loads later inside, and its style. Returns both as text that no parser of HTML takes for their end,
 * and the packages that are in them.
 */
async function bundleForHtml(root, entry) {
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
  return {
    script: inElement("script", script.code),
    style: inElement("style", String(style?.source ?? "")),
    packages: packagesOf(script.moduleIds),
  };
}

function isOwn({ id }) {
  return id === "\0vite/preload-helper.js";
}

/** Returns a text that does not end its element; in strings of JavaScript and of CSS it means the same. */
function inElement(name, text) {
  return text.replaceAll(`</${name}`, `<\\/${name}`).replaceAll("<!--", "<\\!--").trim();
}

/** Returns an HTML file; `policy` has the directives that are not the same for all. */
function htmlOf({ title, policy, style, head = [], noscript, body }) {
  const directives = ["default-src 'none'", ...policy, `style-src ${hashOf(style)}`, "base-uri 'none'", "form-action 'none'"];
  const lines = [
    "<!doctype html>",
    '<html lang="en">',
    "<head>",
    '<meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="${directives.join("; ")}">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="referrer" content="no-referrer">',
    '<meta name="color-scheme" content="light dark">',
    `<title>${title}</title>`,
    `<style>${style}</style>`,
    ...head,
    "</head>",
    "<body>",
    `<noscript>${noscript.join("\n")}</noscript>`,
    ...body,
    "</body>",
    "</html>",
  ];
  return `${lines.join("\n")}\n`;
}

/** Returns a script or a style as a policy names it. */
function hashOf(text) {
  return `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
}

/** Writes build/report/template.html. Returns the packages that are in it. */
export async function bundleReport(root) {
  const { script, style, packages } = await bundleForHtml(root, "src/page/report.ts");
  if (`${script}${style}`.includes(PLACE)) throw new Error(`src/page: a bundle must not contain ${PLACE}`);
  const html = htmlOf({
    title: "urlmill report",
    policy: [`script-src ${hashOf(script)}`],
    style,
    noscript: [
      "This report shows its numbers with a script that is part of the file, and your browser runs none.",
      "Allow JavaScript for this file, or open it in another browser. It loads nothing and sends nothing.",
    ],
    head: [`<!--\n${noticesOf(root, packages, {})}-->`],
    body: [`<script type="application/json" id="summary">${PLACE}</script>`, `<script>${script}</script>`],
  });
  writeIfChanged(join(root, "build/report/template.html"), html);
  return packages;
}

/**
 * Writes the application to build/page/: one HTML file that holds its scripts, its style, the script of its workers and the template of
 * reports, which must be there. The package has it compressed: the command alone reads it. Returns the packages that are in it.
 */
export async function bundlePage(root) {
  const [app, worker] = await Promise.all(["app", "worker"].map((name) => bundleForHtml(root, `src/page/app/${name}.ts`)));
  // The template ends its own scripts: as base64 it ends none of these.
  const template = readFileSync(join(root, "build/report/template.html"), "base64");
  const packages = [...new Set([...app.packages, ...worker.packages])].sort();
  const html = htmlOf({
    title: "urlmill",
    // Scripts by their hashes; WebAssembly; workers from a text of this page. `urlmill page` lets it fetch from there.
    policy: [`script-src ${hashOf(app.script)} 'wasm-unsafe-eval' blob:`, "worker-src blob:", "img-src data:", "connect-src 'none'"],
    style: app.style,
    head: [
      '<link rel="icon" href="data:,">',
      '<script type="application/json" id="archives">[]</script>',
      `<script type="text/plain" id="report">${template}</script>`,
      `<script type="text/plain" id="worker">${worker.script}</script>`,
      // Who has this file alone has these too.
      `<script type="text/plain" id="notices">${inElement("script", noticesOf(root, packages))}</script>`,
    ],
    noscript: [
      "This page reads archives with a script that is part of it, and your browser runs none.",
      "Allow JavaScript for this page, or open it in another browser. It loads nothing and sends nothing.",
    ],
    body: [`<script>${app.script}</script>`],
  });
  writeIfChanged(join(root, "build/page/index.html"), html);
  writeIfChanged(join(root, "build/page/index.html.br"), await promisify(brotliCompress)(html));
  return packages;
}
