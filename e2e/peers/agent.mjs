#!/usr/bin/env node
// The peer as an agent on its stdin and stdout. See switches.mjs and script.mjs.
import fs from "node:fs";
import { Readable, Transform, Writable } from "node:stream";
import { ndJsonStream } from "@agentclientprotocol/sdk";
import { makeApp } from "./app.mjs";
import { Sessions } from "./sessions.mjs";
import { noise, trace } from "./switches.mjs";

/** Passes bytes on and appends each whole line to the trace. */
function traced(from) {
  let rest = ""; // as latin1, so that no chunk ends inside a character
  return new Transform({
    transform(chunk, _, done) {
      const lines = (rest + chunk.toString("latin1")).split("\n");
      rest = lines.pop();
      for (const line of lines) fs.appendFileSync(trace, JSON.stringify({ from, line: Buffer.from(line, "latin1").toString() }) + "\n");
      done(null, chunk);
    },
  });
}

if (noise.has("stdout")) process.stdout.write("peer: starting, and this is no JSON\n");
if (noise.has("stderr")) process.stderr.write("peer: starting\npeer: more of it\n");
if (noise.has("flood")) process.stderr.write("peer: a flood of words\n".repeat(190000));

let input = process.stdin;
let output = process.stdout;
if (trace) {
  input = input.pipe(traced("client"));
  output = traced("agent");
  output.pipe(process.stdout);
}
const connection = makeApp(new Sessions()).connect(ndJsonStream(Writable.toWeb(output), Readable.toWeb(input)));
await connection.closed;
process.exit(0);
