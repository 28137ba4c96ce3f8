// The application in a web page: one HTML file that holds its scripts, its style, the script of its workers and the template of reports,
// so that nothing is loaded after it.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { bundleForHtml, hashOf, htmlOf, inElement } from "./bundle-html.mjs";
import { noticesOf } from "./generate-notices.mjs";
import { writeIfChanged } from "./write-file.mjs";

/** Writes build/page/index.html; build/report/ must be there. Returns the packages that are in it. */
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
  return packages;
}
