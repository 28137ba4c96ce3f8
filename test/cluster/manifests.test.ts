// The manifests of examples/batch: they fit what Kubernetes and AWS publish, and their commands run the shard that the engine names.
import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import ts from "typescript";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { COMMAND, newFolder, removeFolder } from "../cli/run.ts";

const root = resolve(import.meta.dirname, "../..");
const read = (name: string): string => readFileSync(join(root, "examples/batch", name), "utf8");
const require = createRequire(import.meta.url);

/** Returns packages, or undefined if one is not installed: they are large, and nothing else needs them. */
function installed(...names: readonly string[]): unknown[] | undefined {
  try {
    return names.map((name) => require(name) as unknown);
  } catch {
    console.warn(`not tested here: npm install --no-save ${names.map((name) => name.replace(/^([^@/]+)\/.*/, "$1")).join(" ")}`);
    return undefined;
  }
}

/** Returns what TypeScript finds wrong with a value of a type of a package: unknown properties, missing ones, wrong types and words. */
function wrongIn(value: unknown, type: string, module: string): string[] {
  const path = join(root, "test/cluster/value.ts");
  const text = `import type { ${type} } from "${module}";\nexport const value: ${type} = ${JSON.stringify(value)};\n`;
  const options: ts.CompilerOptions = {
    strict: true,
    skipLibCheck: true,
    noEmit: true,
    types: [],
    lib: ["lib.es2023.d.ts", "lib.dom.d.ts"],
  };
  Object.assign(options, { module: ts.ModuleKind.NodeNext, moduleResolution: ts.ModuleResolutionKind.NodeNext });
  const host = ts.createCompilerHost(options);
  const { getSourceFile, fileExists } = host;
  host.fileExists = (name) => name === path || fileExists(name);
  host.getSourceFile = (name, ...rest) => (name === path ? ts.createSourceFile(name, text, rest[0]) : getSourceFile(name, ...rest));
  const program = ts.createProgram([path], options, host);
  return ts.getPreEmitDiagnostics(program).map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, "\n"));
}

interface Job {
  spec: Record<string, unknown> & { template: { spec: { containers: { command: string[]; workingDir: string }[] } } };
}
const kubernetes = installed("yaml", "kubernetes-models/batch/v1");
const aws = installed("@aws-sdk/client-batch");
const definition = JSON.parse(read("aws-batch/job-definition.json"));
const submission = JSON.parse(read("aws-batch/submit-job.json"));

/** Runs a command as a container would, with /data in a new folder; expects that it has run shard 1 of the plan there. */
function expectRun(command: readonly string[], env: Record<string, string>): void {
  mkdirSync(join(folder, "bin"));
  writeFileSync(join(folder, "bin/urlmill"), `#!/bin/sh\nexec '${process.execPath}' '${COMMAND}' "$@"\n`);
  chmodSync(join(folder, "bin/urlmill"), 0o755);
  for (const name of ["a", "b"]) writeFileSync(join(folder, name), `http://${name}.example/`);
  const options = {
    cwd: folder,
    encoding: "utf8",
    env: { ...process.env, PATH: `${join(folder, "bin")}:${process.env.PATH}`, ...env },
  } as const;
  expect(spawnSync("urlmill", ["plan", "--shard-bytes", "1", "-o", "plan.jsonl", "a", "b"], options)).toMatchObject({ status: 0 });
  const [program = "", ...args] = command.map((word) => word.replace("/data", folder));
  expect(spawnSync(program, args, options)).toMatchObject({ status: 0, stderr: "" });
  expect(readdirSync(join(folder, "results"))).toContain("00001.json");
}

let folder: string;
beforeEach(() => {
  folder = newFolder();
});
afterEach(() => removeFolder(folder));

describe.skipIf(kubernetes === undefined)("the Indexed Job", () => {
  const [yaml, models] = (kubernetes ?? []) as [{ parse(text: string): Job }, { Job: new (job: Job) => { validate(): void } }];
  const job = (): Job => yaml.parse(read("kubernetes/indexed-job.yaml"));
  const wrong = (value: Job): string[] => wrongIn(value, "IJob", "kubernetes-models/batch/v1");

  it("fits the JSON schema and the types of Kubernetes", () => {
    expect(() => new models.Job(job()).validate()).not.toThrow();
    expect(wrong(job())).toEqual([]);
  });

  it("would not with a wrong word or a wrong value", () => {
    const { completions, ...rest } = job().spec;
    expect(wrong({ ...job(), spec: { ...rest, completion: completions } }).join()).toContain('"completion"');
    expect(() => new models.Job({ ...job(), spec: { ...rest, completions: "many" } }).validate()).toThrow(/completions/);
  });

  it("runs the shard of its index", () => {
    const [container] = job().spec.template.spec.containers;
    expect(container?.workingDir).toBe("/data");
    expectRun(container?.command ?? [], { JOB_COMPLETION_INDEX: "1" });
  });
});

describe.skipIf(aws === undefined)("the definition and the submission of AWS Batch", () => {
  const wrong = (value: unknown, type: string): string[] => wrongIn(value, type, "@aws-sdk/client-batch");

  it("fit the types of its API", () => {
    expect(wrong(definition, "RegisterJobDefinitionCommandInput")).toEqual([]);
    expect(wrong(submission, "SubmitJobCommandInput")).toEqual([]);
  });

  it("would not with a wrong word or a wrong value", () => {
    const { retryStrategy, ...rest } = definition;
    expect(wrong({ ...rest, retry: retryStrategy }, "RegisterJobDefinitionCommandInput").join()).toContain('"retry"');
    expect(wrong({ ...submission, arrayProperties: { size: "2" } }, "SubmitJobCommandInput")).toHaveLength(1);
  });
});

it("the definition of AWS Batch runs the shard of its index", () => {
  expectRun(definition.containerProperties.command, { AWS_BATCH_JOB_ARRAY_INDEX: "1" });
});

it("both try again what exits with 75, and give up at 65", () => {
  const rules = definition.retryStrategy.evaluateOnExit as { onExitCode?: string; action: string }[];
  const actionOf = (code: string): string | undefined => rules.find(({ onExitCode }) => onExitCode === code || onExitCode === "*")?.action;
  expect(["65", "75", "137"].map(actionOf)).toEqual(["EXIT", "RETRY", "RETRY"]);
  expect(read("kubernetes/indexed-job.yaml")).toMatch(/action: FailIndex\n +onExitCodes:\n.*\n.*\n +values: \[2, 65\]/);
});
