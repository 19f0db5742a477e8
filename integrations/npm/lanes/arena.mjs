// Answers the frames of the benchmark `arena` of the library, with every adapter whose package is installed.
//
// The benchmark starts this script and speaks with it by lines on standard input and output. The lines are those between a window
// and an adapter, except that the first line has all solvers, a frame has the number of its solver, and an answer has no iterations.

import { createRequire } from "node:module";
import { createInterface } from "node:readline";
import { Rig, answer } from "./lane.mjs";

const require = createRequire(import.meta.url);
const ADAPTERS = [
  { name: "closed-chain-ik", file: "./closed_chain_lane.mjs", counts: [5, 20] },
  { name: "three-ik", file: "./three_lane.mjs", counts: [5, 20] },
];

const found = [];
const skipped = [];
for (const { name, file, counts } of ADAPTERS) {
  try {
    const { version } = require(`${name}/package.json`);
    const { make } = await import(file);
    for (const iterations of counts) {
      found.push({ name: `${name}, ${iterations} iterations`, versions: `${name} ${version}`, make, iterations });
    }
  } catch (error) {
    skipped.push(`${name}: ${error.message.split("\n")[0]}`);
  }
}

// The first line of standard output belongs to the benchmark, so packages must not print.
console.log = console.info = () => {};
const send = (line) => process.stdout.write(`${JSON.stringify(line)}\n`);
send({ solvers: found.map(({ name, versions }) => ({ name, versions })), skipped });
let known = [];
createInterface({ input: process.stdin }).on("line", (text) => {
  const line = JSON.parse(text);
  if (line.character) {
    known = found.map(({ make, iterations }) => {
      const rig = new Rig(line.character);
      rig.iterations = iterations;
      return { rig, make, solve: make(rig) };
    });
  } else if (line.targets && known[line.solver]) {
    const own = known[line.solver];
    if (own.rig.fit(line)) own.solve = own.make(own.rig);
    const { iterations, ...answered } = answer(own.rig, own.solve, line);
    send(answered);
  }
});
