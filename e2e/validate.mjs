#!/usr/bin/env node
// Checks what one party of a connection said against the JSON schemas that the
// SDK ships, for the version that was negotiated. Reads recordings of acptool
// and the traces of peers/agent.mjs (PEER_TRACE), on stdin or by name.
//
//   validate.mjs [--from client|agent] FILE...
//   validate.mjs --serve
//
// Prints one line per fault and a count; exits 1 on a fault, and on nothing to
// check. With --serve it answers requests {"file","from"}, one a line, with
// {"checked","faults"}. A request to initialize that is made for both versions
// has to be right in each.
import fs from "node:fs";
import { createRequire } from "node:module";
import { createInterface } from "node:readline";
import Ajv from "ajv/dist/2020.js";
import addFormats from "ajv-formats";

const require = createRequire(import.meta.url);
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

/** Checks what a party said in a file. */
function check(file, from) {
  const faults = [];
  let checked = 0;
  let version = 0;
  let asked = new Map(); // who asked, and the id as JSON -> method
  const entries = fs.readFileSync(file, "utf8").split("\n").map(read).filter(Boolean);
  const negotiated = (at) => {
    const id = JSON.stringify(entries[at].message.id);
    const answer = entries.slice(at).find((e) => e.from === "agent" && e.message && !e.message.method && JSON.stringify(e.message.id) === id);
    return answer?.message.result?.protocolVersion ?? entries[at].message.params.protocolVersion;
  };
  entries.forEach(({ from: party, begins, message: m }, at) => {
    if (begins || m.method === "initialize") asked = new Map();
    if (begins) return;
    if (m.method === "initialize") version = negotiated(at);
    const other = party === "client" ? "agent" : "client";
    if (m.method && m.id !== undefined) asked.set(party + JSON.stringify(m.id), m.method);
    if (party !== from) return;
    checked++;
    const key = other + JSON.stringify(m.id);
    const say = (what) => what && faults.push(`${party} ${m.method ?? asked.get(key) ?? "response"}: ${what}`);
    if (m.jsonrpc !== "2.0") say("jsonrpc is not 2.0");
    const schema = schemas[version];
    if (!schema) return say(`no schema for version ${version}`);
    if (m.method) {
      say(schema.faults(m.method, "params", m.params));
      if (m.method === "initialize") {
        if (m.params.clientInfo) say(schemas[1].faults(m.method, "params", m.params));
        if (m.params.info) say(schemas[2].faults(m.method, "params", m.params));
      }
      return;
    }
    if (!asked.has(key)) return say(`an answer to ${JSON.stringify(m.id)}, which was not asked`);
    if (!m.error) say(schema.faults(asked.get(key), "result", m.result));
    else if (!Number.isInteger(m.error.code) || typeof m.error.message !== "string") say("an error without code or message");
    asked.delete(key);
  });
  return { checked, faults };
}

const args = process.argv.slice(2);
if (args[0] === "--serve") {
  for await (const line of createInterface({ input: process.stdin })) {
    const { file, from } = JSON.parse(line);
    process.stdout.write(JSON.stringify(check(file, from)) + "\n");
  }
} else {
  const from = args[0] === "--from" ? args.splice(0, 2)[1] : "client";
  let bad = args.length === 0;
  for (const file of args) {
    const { checked, faults } = check(file, from);
    for (const fault of faults) console.log(`${file}: ${fault}`);
    console.log(`${file}: ${checked} messages of the ${from}, ${faults.length} faults`);
    bad ||= !checked || faults.length > 0;
  }
  process.exit(bad ? 1 : 0);
}
