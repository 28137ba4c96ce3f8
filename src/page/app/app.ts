// The application: scans archives that the user drops, chooses or pastes, or that the server offers, and shows the results.
import "../view/view.css";
import "./app.css";
import { messageOf } from "../../base/errors.ts";
import { withoutControls } from "../../base/shown.ts";
import { reportHtml } from "../../report/html.ts";
import type { Summary } from "../../summary/summary.ts";
import { button, element, fold, setAttribute, setText } from "../view/dom.ts";
import { showSummary, type View } from "../view/view.ts";
import { counted, duration, share, size } from "../view/words.ts";
import type { PageInput } from "./input-bytes.ts";
import { chosenInputs, droppedInputs, exampleInput, pastedInput, servedInputs } from "./inputs.ts";
import { OptionForm } from "./option-form.ts";
import { PageRun, type RunProgress } from "./run.ts";
import { saveRecords, saveText } from "./save.ts";
import { TryIt } from "./try-it.ts";

const EMPTY = "Results come here while archives are read: hosts, senders, a time line, what looks dangerous. Every value is a filter.";

class App {
  readonly #form = new OptionForm();
  readonly #tryIt = new TryIt();
  readonly #heading = element("h1", {}, "What URLs are in your mail?");
  readonly #bar = new ProgressBar(() => (this.#file === undefined ? this.#run?.stop() : this.#file.abort()));
  readonly #saving = this.#makeSaving();
  readonly #root = element("div", { class: "results" }, element("p", { class: "view" }, EMPTY));
  #view: View | undefined;
  #run: PageRun | undefined;
  #summary: Summary | undefined;
  #file: AbortController | undefined;

  constructor() {
    const again = button({ class: "again" }, () => void this.#start(this.#run?.inputs ?? []), "Scan again with these options");
    const optionBox = fold({ class: "option-box" }, "Filters and options", this.#form.node, again);
    const tryBox = fold({ class: "try-box" }, "Try it with a text", this.#tryIt.node);
    tryBox.addEventListener("toggle", () => {
      if (tryBox.open) this.#tryIt.start();
    });
    const boxes = element("div", { class: "boxes" }, optionBox, tryBox);
    document.body.replaceChildren(
      element("header", { class: "masthead" }, element("p", {}, "urlmill"), this.#heading),
      element("main", {}, element("div", { class: "app" }, this.#makeChooser(), boxes, this.#bar.node, this.#saving), this.#root),
    );
    this.#listenToDrops();
    const served = servedInputs();
    if (served.length > 0) void this.#start(served);
  }

  #makeChooser(): HTMLElement {
    const files = element("input", { type: "file", multiple: true, class: "unseen", tabindex: "-1", "aria-hidden": "true" });
    const folder = element("input", { type: "file", webkitdirectory: true, class: "unseen", tabindex: "-1", "aria-hidden": "true" });
    for (const input of [files, folder]) {
      input.addEventListener("change", () => {
        const chosen = chosenInputs(input.files ?? []);
        input.value = "";
        void this.#start(chosen);
      });
    }
    const text = element("textarea", { id: "paste-text", rows: 5, spellcheck: "false" });
    const scan = button({}, () => void this.#start([pastedInput(text.value)]), "Scan this text");
    const label = element("label", { for: "paste-text", class: "quiet" }, "Text");
    const quiet = (words: string): HTMLElement => element("p", { class: "quiet" }, words);
    return element(
      "section",
      { class: "chooser", "aria-label": "Choose what is scanned" },
      element("p", { class: "invite" }, "Drop files or folders here"),
      quiet("Mailboxes, messages, news, web archives, logs and text, also as zip, tar, gzip, bzip2, xz or zstd."),
      element(
        "p",
        { class: "actions" },
        button({ class: "main" }, () => files.click(), "Choose files"),
        button({}, () => folder.click(), "Choose a folder"),
        button({}, () => void this.#start([exampleInput()]), "Try an example"),
      ),
      files,
      folder,
      fold({}, "Paste text", label, text, scan),
      quiet("Everything is read on this computer. The page sends nothing."),
    );
  }

  #makeSaving(): HTMLElement {
    const report = (): void => {
      const summary = this.#summary;
      const bytes = Uint8Array.from(atob(document.getElementById("report")?.textContent ?? ""), (character) => character.charCodeAt(0));
      const template = new TextDecoder().decode(bytes);
      if (summary !== undefined) void this.#save(() => saveText("report.html", reportHtml(template, summary)));
    };
    return element(
      "p",
      { class: "saving", hidden: true },
      element("span", { class: "quiet" }, "Save as"),
      button({}, report, "Report (HTML)"),
      button({}, () => void this.#saveRecords("csv"), "Table (CSV)"),
      button({}, () => void this.#saveRecords("ndjson"), "Records (NDJSON)"),
    );
  }

  #listenToDrops(): void {
    const mark = (isOver: boolean) => (event: DragEvent) => {
      event.preventDefault();
      document.body.classList.toggle("dropping", isOver);
    };
    document.addEventListener("dragover", mark(true));
    document.addEventListener("dragleave", mark(false));
    document.addEventListener("drop", (event) => {
      mark(false)(event);
      if (event.dataTransfer === null) return;
      const text = event.dataTransfer.getData("text/plain");
      void droppedInputs(event.dataTransfer).then((inputs) => this.#start(inputs.length > 0 || text === "" ? inputs : [pastedInput(text)]));
    });
  }

  async #start(inputs: readonly PageInput[]): Promise<void> {
    const options = this.#form.read();
    if (inputs.length === 0 || options === undefined) return;
    this.#run?.end();
    this.#file?.abort();
    document.body.classList.add("begun");
    setText(this.#heading, withoutControls(`URLs in ${nameOf(inputs)}`));
    document.title = this.#heading.textContent ?? "";
    this.#saving.hidden = true;
    const progressed = (): void => {
      if (this.#run === run) this.#bar.show("Reading", run.progress);
    };
    const summarized = (summary: Summary, isLast: boolean): void => {
      if (this.#run === run) this.#show(summary, isLast);
    };
    const run = new PageRun(inputs, options, progressed, summarized);
    this.#run = run;
    this.#bar.begin();
    progressed();
    try {
      await run.scan();
      if (this.#run !== run) return;
      const { bytes, bytesAll, seconds } = run.progress;
      const speed = `${size(bytes)} in ${duration(seconds)}, ${size(bytes / Math.max(seconds, 1e-3))} a second`;
      this.#bar.end(
        run.isStopped ? `Stopped after ${size(bytes)} of ${size(bytesAll)}: the numbers are of what was read` : `Read ${speed}`,
      );
      this.#saving.hidden = false;
    } catch (error) {
      if (this.#run === run) this.#bar.end(`The scan ended: ${messageOf(error)}`);
    }
  }

  #show(summary: Summary, isLast: boolean): void {
    this.#summary = summary;
    if (this.#view === undefined) this.#view = showSummary(this.#root, summary, isLast);
    else this.#view.update(summary, isLast);
  }

  async #saveRecords(format: "csv" | "ndjson"): Promise<void> {
    const run = this.#run;
    if (run === undefined) return;
    await this.#save(async () => {
      const began = performance.now();
      const { bytesAll } = run.progress;
      let bytes = 0;
      this.#file = new AbortController();
      this.#bar.begin();
      const isComplete = await saveRecords(format, run, this.#file.signal, (more) => {
        bytes += more;
        this.#bar.show("Writing", { bytes, bytesAll, seconds: (performance.now() - began) / 1000, failures: [], failureCount: 0 });
      });
      this.#bar.end(isComplete ? `Wrote urls.${format} in ${duration((performance.now() - began) / 1000)}` : "Nothing was written");
    });
  }

  async #save(write: () => Promise<void>): Promise<void> {
    this.#saving.hidden = true;
    try {
      await write();
    } catch (error) {
      this.#bar.end(`The file could not be written: ${messageOf(error)}`);
    } finally {
      this.#file = undefined;
      this.#saving.hidden = false;
    }
  }
}

function nameOf(inputs: readonly PageInput[]): string {
  const [first] = inputs;
  const folders = new Set(inputs.map(({ name }) => (name.includes("/") ? name.slice(0, name.indexOf("/")) : "")));
  const [folder = ""] = folders;
  if (folders.size === 1 && folder !== "") return `${folder} (${counted(inputs.length, "file")})`;
  return inputs.length === 1 ? (first?.name ?? "") : counted(inputs.length, "file");
}

// The progress of a run: bytes, share, speed, time left, and a button that stops it.

/** Least milliseconds between two progress texts, because a screen reader may read every one. */
const TEXT_EVERY = 500;
const ESTIMATE_AFTER_SECONDS = 3;

class ProgressBar {
  readonly node: HTMLElement;
  readonly #bar = element("progress", { "aria-label": "Share that has been read", max: 1 });
  readonly #text = element("p", { role: "status" });
  readonly #stop: HTMLElement;
  readonly #failures = element("ul", { class: "failures" });
  #next = 0;

  constructor(stop: () => void) {
    this.#stop = button({ class: "stop" }, stop, "Stop");
    const line = element("div", { class: "line" }, this.#text, this.#stop);
    this.node = element("section", { class: "progress", "aria-label": "Progress", hidden: true }, this.#bar, line, this.#failures);
  }

  begin(): void {
    this.node.hidden = false;
    this.#bar.hidden = false;
    this.#stop.hidden = false;
    this.#failures.replaceChildren();
    this.#next = 0;
  }

  show(what: string, { bytes, bytesAll, seconds, failures, failureCount }: RunProgress): void {
    setAttribute(this.#bar, "value", bytesAll === 0 ? 1 : bytes / bytesAll);
    const more = failureCount > failures.length ? [`and ${counted(failureCount - failures.length, "more")}`] : [];
    if (this.#failures.childElementCount !== failures.length + more.length || more.length > 0) {
      this.#failures.replaceChildren(...[...failures, ...more].map((text) => element("li", {}, text)));
    }
    if (performance.now() < this.#next) return;
    this.#next = performance.now() + TEXT_EVERY;
    const speed = bytes / Math.max(seconds, 1e-3);
    const left = seconds < ESTIMATE_AFTER_SECONDS || bytes === 0 ? "" : `, about ${duration(Math.ceil((bytesAll - bytes) / speed))} left`;
    setText(this.#text, `${what}: ${size(bytes)} of ${size(bytesAll)} (${share(bytes, bytesAll)}), ${size(speed)} a second${left}`);
  }

  end(text: string): void {
    this.#bar.hidden = true;
    this.#stop.hidden = true;
    setText(this.#text, text);
  }
}

new App();
