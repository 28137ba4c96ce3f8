// The script of a report: shows the summary that the page holds.
import { withoutControls } from "../base/shown.ts";
import type { Summary } from "../summary/summary.ts";
import { element } from "./view/dom.ts";
import "./view/view.css";
import { showSummary } from "./view/view.ts";
import { counted } from "./view/words.ts";

const summary = JSON.parse(document.getElementById("summary")?.textContent ?? "") as Summary;
const { inputs } = summary.run;
const [first = "-"] = inputs;
const name = first === "-" ? "standard input" : (first.split("/").findLast((one) => one !== "") ?? first);
const others = inputs.length > 1 ? ` and ${counted(inputs.length - 1, "more", "more")}` : "";
const title = withoutControls(`URLs in ${name}${others}`);
document.title = title;
const view = element("div");
document.body.replaceChildren(
  element("header", { class: "masthead" }, element("p", {}, "urlmill report"), element("h1", {}, title)),
  element("main", {}, view),
);
showSummary(view, summary, true);
