// Prints "N passed, N failed, N skipped" of a vitest JSON report as the last line of a CI run, and sets the exit code.
// A step that failed before or beside the tests (status 1) counts as one failure where no test failed.
import { readFileSync } from "node:fs";

const [file, status] = process.argv.slice(2);
let report = { numPassedTests: 0, numFailedTests: 0, numPendingTests: 0, numTodoTests: 0, success: false };
try {
  report = JSON.parse(readFileSync(file, "utf8"));
} catch {
  console.error("count-tests: no report of the tests was written");
}
const broken = status !== "0" || !report.success || report.numPassedTests === 0;
const failed = report.numFailedTests === 0 && broken ? 1 : report.numFailedTests;
console.log(`${report.numPassedTests} passed, ${failed} failed, ${report.numPendingTests + report.numTodoTests} skipped`);
process.exitCode = failed > 0 ? 1 : 0;
