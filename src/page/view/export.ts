// The rows of a table as files and as text. Files are made in the page: nothing is requested.
import { BYTE_ORDER_MARK, csvCell } from "../../output/csv-cell.ts";
import { button, download, element, setText } from "./dom.ts";
import { copyText, linkForm } from "./link-text.ts";
import { counted } from "./words.ts";

/** A row: its columns by their names; null: unknown. */
export type ExportedRow = Readonly<Record<string, string | number | null>>;

/** Returns rows as csv for spreadsheets: no cell is a formula. */
export function csvOf(rows: readonly ExportedRow[]): string {
  const lines = rows.map((row) =>
    Object.values(row)
      .map((value) => csvCell(value ?? undefined, true))
      .join(","),
  );
  return BYTE_ORDER_MARK + [Object.keys(rows[0] ?? {}).join(","), ...lines].map((line) => `${line}\r\n`).join("");
}

export function ndjsonOf(rows: readonly ExportedRow[]): string {
  return rows.map((row) => `${JSON.stringify(row)}\n`).join("");
}

export class ExportLine {
  readonly #text = element("span", { class: "quiet" });
  readonly #said = element("span", { role: "status" });
  readonly node: HTMLElement;

  /** `name`: of the files. `many`: plural noun for rows. `values`: columns that are copied. `rows` returns the rows of all pages. */
  constructor(name: string, many: string, values: readonly string[], rows: () => ExportedRow[]) {
    const copy = async (): Promise<void> => {
      const text = rows().map((row) => values.map((value) => linkForm(String(row[value]), true)).join(" "));
      setText(this.#said, (await copyText(`${text.join("\n")}\n`)) ? `${counted(text.length, "line")} copied` : "Not copied");
    };
    const make = (label: string, what: string, press: () => void): HTMLElement =>
      button({ class: "plain", "aria-label": what }, press, label);
    this.node = element(
      "p",
      { class: "export" },
      this.#text,
      make("CSV", `Save ${many} as CSV`, () => download(`${name}.csv`, [csvOf(rows())])),
      make("NDJSON", `Save ${many} as NDJSON`, () => download(`${name}.ndjson`, [ndjsonOf(rows())])),
      make("Copy defanged", `Copy defanged ${many}`, () => void copy()),
      this.#said,
    );
  }

  show(count: number): void {
    this.node.hidden = count === 0;
    setText(this.#text, count === 1 ? "This row:" : `These ${counted(count, "row")}:`);
    setText(this.#said, "");
  }
}
