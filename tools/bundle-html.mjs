// Bundles for HTML files that load nothing: a script and a style, which stand in the file and which its policy names by their hashes.
import { createHash } from "node:crypto";
import { join } from "node:path";
import { build } from "vite";
import { packagesOf } from "./generate-notices.mjs";

/**
 * Bundles a script, with what it loads later inside, and its style. Returns both as text that no parser of HTML takes for their end,
 * and the packages that are in them.
 */
export async function bundleForHtml(root, entry) {
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
export function inElement(name, text) {
  return text.replaceAll(`</${name}`, `<\\/${name}`).replaceAll("<!--", "<\\!--").trim();
}

/** Returns an HTML file; `policy` has the directives that are not the same for all. */
export function htmlOf({ title, policy, style, head = [], noscript, body }) {
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
export function hashOf(text) {
  return `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
}
