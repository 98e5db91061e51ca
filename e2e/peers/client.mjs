#!/usr/bin/env node
// A client on the official SDK. It drives an agent through the steps it is
// given and prints all it sees, one JSON document per line, so that two runs
// can be compared: with the tap between and without, an agent and its replay.
//
//   client.mjs [--protocol 1|2] [--stable] [--answer KIND] STEP... -- AGENT ARG...
//   client.mjs [...] --url http://... or ws://... STEP...
//
// Steps: new, prompt=TEXT, cancel=TEXT (a prompt that is cancelled at its first
// chunk), status[=ID], auth, login=METHOD, list, resume, replay (resume with the
// history, in v1 session/load), close, delete, model=VALUE, mode=VALUE.
// --answer is the kind of option that permission requests are answered with, or
// cancelled; the default is allow_once.
import { spawn } from "node:child_process";
import { Readable, Writable } from "node:stream";
import { createHttpStream } from "@agentclientprotocol/sdk/experimental/http-client";
import { createWebSocketStream } from "@agentclientprotocol/sdk/experimental/ws-client";
import { WebSocket } from "ws";

const options = { protocol: 2, answer: "allow_once", url: "", stable: false };
const args = process.argv.slice(2);
const steps = [];
let command = [];
while (args.length) {
  const arg = args.shift();
  if (arg === "--") command = args.splice(0);
  else if (arg === "--stable") options.stable = true;
  else if (arg === "--protocol") options.protocol = Number(args.shift());
  else if (arg === "--answer" || arg === "--url") options[arg.slice(2)] = args.shift();
  else steps.push(arg);
}
const v2 = options.protocol === 2;
const acp = await import("@agentclientprotocol/sdk" + (v2 ? "/experimental/v2" : "") + (options.stable ? "" : "/unstable"));
const M = acp.methods.agent;
const C = acp.methods.client;

const print = (line) => process.stdout.write(JSON.stringify(line) + "\n");

/** Something that can be waited for: told of each update, it wakes who waits. */
let wake = () => {};
const seen = [];
async function until(done) {
  for (;;) {
    const hit = seen.find(done);
    if (hit) return hit;
    await new Promise((resolve) => (wake = resolve));
  }
}

const app = acp.client({ name: "peer-client" });
app.onNotification(C.session.update, ({ params }) => {
  print({ update: params.update, sessionId: params.sessionId });
  seen.push(params.update);
  wake();
});
app.onRequest(C.session.requestPermission, ({ params }) => {
  const option = params.options.find((o) => o.kind === options.answer);
  const outcome = option && !cancelling ? { outcome: "selected", optionId: option.optionId } : { outcome: "cancelled" };
  print({ asked: C.session.requestPermission, params, outcome });
  return { outcome };
});
app.onRequest(C.elicitation.create, ({ params }) => {
  print({ asked: C.elicitation.create, params });
  return { action: "accept", content: { colour: "green" } };
});
if (!v2)
  app.onRequest(C.fs.readTextFile, ({ params }) => {
    print({ asked: C.fs.readTextFile, params });
    return { content: "from the client\n" };
  });

let cancelling = false;
let sessionId;

async function open() {
  if (options.url.startsWith("ws")) return createWebSocketStream(options.url, { WebSocket });
  if (options.url) return createHttpStream(options.url);
  const child = spawn(command[0], command.slice(1), { stdio: ["pipe", "pipe", "inherit"] });
  const exited = new Promise((resolve) => child.on("exit", (code, signal) => resolve({ code, signal })));
  open.close = async () => {
    child.stdin.end();
    print({ exit: await exited });
  };
  return acp.ndJsonStream(Writable.toWeb(child.stdin), Readable.toWeb(child.stdout));
}

/** Sends a prompt and waits for the end of its turn, as the version tells it. */
async function turn(agent, text, onSent = () => {}) {
  seen.length = 0;
  const answered = agent.request(M.session.prompt, { sessionId, prompt: [{ type: "text", text }] });
  await onSent();
  const answer = await answered;
  if (!v2) return answer;
  const end = await until((u) => u.sessionUpdate === "state_update" && u.state === "idle");
  return { ...answer, stopReason: end.stopReason };
}

const where = () => ({ cwd: process.cwd(), mcpServers: [] });
const methods = {
  async new(agent) {
    const answer = await agent.request(M.session.new, where());
    sessionId = answer.sessionId;
    return answer;
  },
  prompt: turn,
  cancel: (agent, text) =>
    turn(agent, text, async () => {
      await until((u) => u.sessionUpdate === "agent_message_chunk");
      cancelling = true;
      await agent.notify(M.session.cancel, { sessionId });
    }),
  status: (agent, id) => agent.request("session/status", { sessionId: id || sessionId }),
  auth: (agent) => agent.request("auth/status", {}),
  login: (agent, methodId) => agent.request(v2 ? M.auth.login : M.authenticate, { methodId }),
  list: (agent) => agent.request(M.session.list, {}),
  resume: (agent, id) => agent.request(M.session.resume, { sessionId: (sessionId = id || sessionId), ...where() }),
  replay(agent, id) {
    sessionId = id || sessionId;
    if (!v2) return agent.request(M.session.load, { sessionId, ...where() });
    return agent.request(M.session.resume, { sessionId, ...where(), replayFrom: { type: "start" } });
  },
  close: (agent) => agent.request(M.session.close, { sessionId }),
  delete: (agent) => agent.request(M.session.delete, { sessionId }),
  mode: (agent, modeId) => agent.request("session/set_mode", { sessionId, modeId }),
  model: (agent, value) =>
    agent.request(M.session.setConfigOption, { sessionId, configId: "model", value, ...(v2 ? { type: "id" } : {}) }),
};

const info = { name: "peer-client", version: "1.0.0" };
const hello = v2
  ? { protocolVersion: 2, info, capabilities: { elicitation: { form: {} } } }
  : { protocolVersion: 1, clientInfo: info, clientCapabilities: { fs: { readTextFile: true, writeTextFile: false }, terminal: false, elicitation: { form: {} } } };

const connection = app.connect(await open());
const { agent } = connection;
const play = async (step, method) => {
  try {
    print({ step, result: await method() });
  } catch (error) {
    print({ step, error: { code: error.code, message: error.message, data: error.data } });
  }
};
await play("initialize", () => agent.request(M.initialize, hello));
for (const step of steps) {
  const [name, ...rest] = step.split("=");
  if (!methods[name]) {
    process.stderr.write(`client.mjs: no such step: ${name}\n`);
    process.exit(2);
  }
  cancelling = false;
  await play(step, () => methods[name](agent, rest.join("=")));
}
await open.close?.();
connection.close();
await connection.closed;
// What was printed may still be on its way to a reader that is slower than us.
process.stdout.write("", () => process.exit(0));
