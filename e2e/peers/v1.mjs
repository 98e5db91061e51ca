// An agent of protocol version 1 on the official SDK.
import path from "node:path";
import * as switches from "./switches.mjs";
import { Desk, modelOption } from "./handlers.mjs";
import { nextId } from "./sessions.mjs";
import { allowed, parse, planAt, play } from "./script.mjs";
import { Voice, text, toolCall } from "./voice.mjs";

const { offers } = switches;
const acp = await import("@agentclientprotocol/sdk" + (switches.unstable ? "/unstable" : ""));
const asking = acp.methods.agent;
const telling = acp.methods.client;

class VoiceV1 extends Voice {
  async begin(what) {
    const call = toolCall(this.session, what);
    await this.update({ sessionUpdate: "tool_call", ...call });
    return call;
  }

  async allow(call) {
    return allowed(await this.permission({ toolCall: call }));
  }

  async finish(call, may) {
    const { toolCallId } = call;
    const patch = (members) => this.update({ sessionUpdate: "tool_call_update", toolCallId, ...members });
    if (!may) return patch({ status: "failed" });
    await patch({ status: "in_progress" });
    const content =
      call.kind === "edit"
        ? [{ type: "diff", path: call.rawInput.path, oldText: "one\n", newText: "one\ntwo\n" }]
        : [{ type: "content", content: text(call.kind === "read" ? "one\n" : "total 0\n") }];
    await patch({ status: "completed", content, rawOutput: { exit: 0 } });
  }

  async plan() {
    for (const done of [0, 1, 3]) await this.update({ sessionUpdate: "plan", entries: planAt(done) });
  }

  mode() {
    this.session.mode = "code";
    return this.update({ sessionUpdate: "current_mode_update", currentModeId: "code" }, false);
  }

  commands() {
    const availableCommands = [{ name: "review", description: "Review a change", input: { hint: "which one" } }];
    return this.update({ sessionUpdate: "available_commands_update", availableCommands }, false);
  }

  fs(name) {
    const params = { sessionId: this.session.id, path: path.join(this.session.cwd, name) };
    return this.ask("read", telling.fs.readTextFile, params, (result) => result.content);
  }

  async term(command) {
    const { id: sessionId, cwd } = this.session;
    const params = { sessionId, command: "sh", args: ["-c", command], cwd };
    const rest = async ({ terminalId }) => {
      const terminal = { sessionId, terminalId };
      const exit = await this.client.request(telling.terminal.waitForExit, terminal);
      const { output } = await this.client.request(telling.terminal.output, terminal);
      await this.client.request(telling.terminal.release, terminal);
      return `${exit.exitCode} ${output}`;
    };
    await this.ask("ran", telling.terminal.create, params, rest);
  }
}

export function makeV1(sessions) {
  const app = acp.agent({ name: "peer-v1" });
  const desk = new Desk(acp, app, sessions);
  const state = (session) => ({
    ...(offers("modes")
      ? { modes: { currentModeId: session.mode, availableModes: ["ask", "code"].map((id) => ({ id, name: id })) } }
      : {}),
    ...(offers("config") ? { configOptions: [modelOption(session, "id")] } : {}),
  });

  desk.on(asking.initialize, () => {
    const sessionCapabilities = {};
    for (const name of ["resume", "list", "close", "delete", "status"]) if (offers(name)) sessionCapabilities[name] = {};
    if (offers("dirs")) sessionCapabilities.additionalDirectories = {};
    return {
      protocolVersion: 1,
      agentInfo: { name: "peer-v1", title: "Peer of version 1", version: "1.0.0" },
      agentCapabilities: {
        loadSession: offers("load"),
        promptCapabilities: { image: offers("image"), audio: offers("audio"), embeddedContext: offers("embedded") },
        mcpCapabilities: { http: offers("mcp"), sse: offers("mcp") },
        sessionCapabilities,
        auth: {
          ...(offers("authstatus") ? { status: switches.rfd ? true : {} } : {}),
          ...(offers("logout") ? { logout: {} } : {}),
        },
      },
      authMethods: [{ id: "key", name: "Use a key", description: "Pretends to log in" }],
    };
  });
  desk.on(asking.authenticate, ({ params }) => desk.logIn(params.methodId));
  if (offers("logout")) desk.on(asking.logout, () => desk.logOut());
  if (offers("authstatus")) desk.on("auth/status", () => desk.authStatus());
  if (offers("status")) desk.on("session/status", ({ params }) => desk.status(params.sessionId));
  if (offers("list")) desk.on(asking.session.list, ({ params }) => sessions.page(params));
  if (offers("close")) desk.on(asking.session.close, ({ params }) => desk.close(params.sessionId));
  if (offers("delete")) desk.on(asking.session.delete, ({ params }) => desk.remove(params.sessionId));
  if (offers("resume")) desk.on(asking.session.resume, ({ params }) => state(desk.take(params.sessionId)));
  if (offers("load"))
    desk.on(asking.session.load, async ({ params, client }) => {
      const session = desk.take(params.sessionId);
      for (const update of session.history) await client.notify(telling.session.update, { sessionId: session.id, update });
      return state(session);
    });
  desk.on(asking.session.new, async ({ params, client }) => {
    desk.needLogin("required");
    const session = sessions.create(params.cwd);
    const voice = new VoiceV1(session, client, telling);
    if (switches.early) await voice.commands();
    else setImmediate(() => void voice.commands());
    return { sessionId: session.id, ...state(session) };
  });
  if (offers("modes"))
    desk.on(asking.session.setMode, ({ params }) => {
      if (!["ask", "code"].includes(params.modeId)) throw desk.error(-32602, `no mode ${params.modeId}`);
      desk.held(params.sessionId).mode = params.modeId;
      return {};
    });
  if (offers("config"))
    desk.on(asking.session.setConfigOption, ({ params }) => {
      const session = desk.held(params.sessionId);
      desk.setModel(session, params.configId, params.value);
      return { configOptions: [modelOption(session, "id")] };
    });
  desk.on(asking.session.prompt, async ({ params, client }) => {
    desk.needLogin("prompt");
    const session = desk.held(params.sessionId);
    if (desk.turns.has(session.id)) throw desk.error(-32600, "a turn is running");
    const control = new AbortController();
    desk.turns.set(session.id, control);
    const messageId = nextId(session, "message");
    for (const content of params.prompt) session.history.push({ sessionUpdate: "user_message_chunk", messageId, content });
    const voice = new VoiceV1(session, client, telling);
    const beats = parse(params.prompt);
    let end;
    try {
      end = await play(beats, voice, control.signal);
    } finally {
      desk.turns.delete(session.id);
    }
    sessions.keep(session);
    for (const beat of beats) if (beat.name === "late") setTimeout(() => void voice.say([beat.arg]), 50);
    if (end.fail) throw desk.error(end.fail, "as the prompt wanted", { prompt: true });
    const usage = { totalTokens: 30, inputTokens: 10, outputTokens: 20 };
    return { stopReason: end.reason, ...(switches.unstable ? { usage } : {}) };
  });
  app.onNotification(asking.session.cancel, ({ params }) => desk.stop(params.sessionId));
  return app;
}
