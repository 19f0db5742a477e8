// Prints the report of Khronos' glTF validator on files as JSON: [{ file, errors, warnings, messages }].
// Before the first run: npm ci --prefix tests/gltf

import { readFileSync } from 'node:fs';
import validator from 'gltf-validator';

const reports = [];
for (const file of process.argv.slice(2)) {
  // Without a function that loads external files, a reference to one is an error: files by Kinescope are self-contained.
  const { issues } = await validator.validateBytes(new Uint8Array(readFileSync(file)), { uri: file, maxIssues: 0 });
  reports.push({
    file,
    errors: issues.numErrors,
    warnings: issues.numWarnings,
    messages: issues.messages
      .filter(({ severity }) => severity < 2)
      .map(({ severity, code, message, pointer }) => `${severity ? 'warning' : 'error'} ${code} ${pointer}: ${message}`),
  });
}
console.log(JSON.stringify(reports));
