// The template of reports: one HTML file with its script and its style inside.
import { join } from "node:path";
import { bundleForHtml, hashOf, htmlOf } from "./bundle-html.mjs";
import { writeIfChanged } from "./write-file.mjs";

/** Stands in the template where the summary comes. */
const PLACE = "{{summary}}";

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
    body: [`<script type="application/json" id="summary">${PLACE}</script>`, `<script>${script}</script>`],
  });
  writeIfChanged(join(root, "build/report/template.html"), html);
  return packages;
}
