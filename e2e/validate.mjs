#!/usr/bin/env node
// Checks what one party of a connection said against the JSON schemas that the
// SDK ships, for the version that was negotiated. Reads recordings of acptool
// and the traces of peers/agent.mjs (PEER_TRACE), on stdin or by name.
//
//   validate.mjs [--from client|agent] [FILE...]
//
// Prints one line per fault and a count; exits 1 on a fault, and on nothing to
// check. The schema of initialize is that of each version the request suits.
import fs from "node:fs";
import { createRequire } from "node:module";
import Ajv from "ajv/dist/2020.js";
import addFormats from "ajv-formats";

const require = createRequire(import.meta.url);
const args = process.argv.slice(2);
const from = args[0] === "--from" ? args.splice(0, 2)[1] : "client";

/** The schema of a version: its validators, found by method. */
class Schema {
  #validators = new Map();

  constructor(version) {
    this.version = version;
    this.document = JSON.parse(fs.readFileSync(require.resolve(`@agentclientprotocol/sdk/schema/v${version}/schema.unstable.json`)));
    this.ajv = new Ajv({ strict: false, allErrors: true });
    addFormats.default(this.ajv);
    for (const format of ["uint16", "uint32", "uint64"]) this.ajv.addFormat(format, { type: "number", validate: (n) => Number.isInteger(n) && n >= 0 });
    for (const format of ["int32", "int64"]) this.ajv.addFormat(format, { type: "number", validate: Number.isInteger });
    this.ajv.addFormat("double", { type: "number", validate: () => true });
    this.ajv.addSchema({ ...this.document, $id: "acp" });
    this.shapes = new Map(); // method and kind -> name of the definition
    for (const [name, definition] of Object.entries(this.document.$defs))
      if (definition["x-method"]) this.shapes.set(`${definition["x-method"]} ${name.endsWith("Response") ? "result" : "params"}`, name);
  }

  /** What is wrong with a value, as text; "" if nothing is. */
  faults(method, kind, value) {
    const name = this.shapes.get(`${method} ${kind}`);
    if (!name) return method.startsWith("_") ? "" : `the schema of version ${this.version} has no ${kind} for it`;
    if (!this.#validators.has(name)) this.#validators.set(name, this.ajv.compile({ $ref: `acp#/$defs/${name}` }));
    const valid = this.#validators.get(name);
    if (valid(value)) return "";
    return [...new Set(valid.errors.map((e) => `${e.instancePath || "/"} ${e.message}`))].slice(0, 4).join("; ");
  }
}

const schemas = { 1: new Schema(1), 2: new Schema(2) };

/** One line of either format as {from, message}, or undefined. */
function read(line) {
  if (!line.trim()) return;
  const entry = JSON.parse(line);
  if (entry.msg !== undefined) return { from: entry.from, message: entry.msg };
  if (entry.line !== undefined) return { from: entry.from, message: JSON.parse(entry.line) };
  return entry.format ? { begins: true } : undefined;
}

const faults = [];
let checked = 0;
for (const file of args.length ? args : [0]) {
  let version = 0;
  let asked; // who asked, and the id as JSON -> method
  const entries = fs.readFileSync(file, "utf8").split("\n").map(read).filter(Boolean);
  const negotiated = (at) => {
    const id = JSON.stringify(entries[at].message.id);
    const answer = entries.slice(at).find((e) => e.from === "agent" && e.message && !e.message.method && JSON.stringify(e.message.id) === id);
    return answer?.message.result?.protocolVersion ?? entries[at].message.params.protocolVersion;
  };
  entries.forEach(({ from: party, begins, message: m }, at) => {
    if (begins || m.method === "initialize") asked = new Map();
    if (begins) return;
    asked ??= new Map();
    if (m.method === "initialize") version = negotiated(at);
    const other = party === "client" ? "agent" : "client";
    if (m.method && m.id !== undefined) asked.set(party + JSON.stringify(m.id), m.method);
    if (party !== from) return;
    checked++;
    const say = (what) => what && faults.push(`${file || "stdin"}: ${party} ${m.method ?? asked.get(other + JSON.stringify(m.id)) ?? "response"}: ${what}`);
    if (m.jsonrpc !== "2.0") say("jsonrpc is not 2.0");
    const schema = schemas[version];
    if (!schema) return say(`no schema for version ${version}`);
    if (m.method) {
      say(schema.faults(m.method, "params", m.params));
      if (m.method === "initialize") {
        // One request for both dialects has to be right in each of them.
        if (m.params.clientInfo) say(schemas[1].faults(m.method, "params", m.params));
        if (m.params.info) say(schemas[2].faults(m.method, "params", m.params));
      }
      return;
    }
    const method = asked.get(other + JSON.stringify(m.id));
    if (!method) return say(`a response to ${JSON.stringify(m.id)}, which was not asked`);
    asked.delete(other + JSON.stringify(m.id));
    if (m.error) return say(Number.isInteger(m.error.code) && typeof m.error.message === "string" ? "" : "error without code or message");
    say(schema.faults(method, "result", m.result));
  });
}
for (const fault of faults) console.log(fault);
console.log(`${checked} messages of the ${from}, ${faults.length} faults`);
process.exit(faults.length || !checked ? 1 : 0);
