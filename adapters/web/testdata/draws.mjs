// Checks proofs, one per line of input, and answers each with a line: "holds", the number of draws
// and the digest, or the fault.

import { createInterface } from "node:readline";
import { check, Fault } from "../static/draws.js";

for await (const line of createInterface({ input: process.stdin })) {
  try {
    console.log(`holds ${(await check(JSON.parse(line))).length}`);
  } catch (err) {
    if (!(err instanceof Fault)) throw err;
    console.log(err.message);
  }
}
