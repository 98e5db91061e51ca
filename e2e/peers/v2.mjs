// An agent of the draft protocol version 2 on the official SDK.
import * as switches from "./switches.mjs";
import { Desk, modelOption } from "./handlers.mjs";
import { nextId } from "./sessions.mjs";
import { allowed, parse, planAt, play } from "./script.mjs";
import { Voice, text, toolCall } from "./voice.mjs";

const { offers } = switches;
const acp = await import("@agentclientprotocol/sdk/experimental/v2" + (switches.unstable ? "/unstable" : ""));
const asking = acp.methods.agent;
const telling = acp.methods.client;

const commandList = [{ type: "command", name: "review", description: "Review a change", input: { type: "text", hint: "which one" } }];

class VoiceV2 extends Voice {
  /** desk.states holds the foreground state of each session, for session/status. */
  constructor(session, client, desk) {
    super(session, client, telling);
    this.desk = desk;
    this.asking = 0;
  }

  async state(state) {
    this.desk.states.set(this.session.id, state);
    await this.update({ sessionUpdate: "state_update", ...state }, false);
  }

  /** The state is requires_action while at least one question is open. */
  async permission(what) {
    if (this.asking++ === 0) await this.state({ state: "requires_action" });
    const answer = await super.permission(what);
    if (--this.asking === 0 && answer.outcome.outcome !== "cancelled") await this.state({ state: "running" });
    return answer;
  }

  async begin(what) {
    const call = toolCall(this.session, what);
    await this.update({ sessionUpdate: "tool_call_update", ...call });
    return call;
  }

  async allow(call) {
    const { toolCallId, title, kind } = call;
    const subject = { type: "tool_call", toolCall: { toolCallId, title, kind } };
    const answer = await this.permission({ title: `Allow ${title}?`, description: "The peer asks.", subject });
    call.cancelled = answer.outcome.outcome === "cancelled";
    return allowed(answer);
  }

  async finish(call, may) {
    const { toolCallId, kind } = call;
    const patch = (members) => this.update({ sessionUpdate: "tool_call_update", toolCallId, ...members });
    if (!may) return patch({ status: call.cancelled ? "cancelled" : "failed" });
    await patch({ status: "in_progress" });
    await this[`${kind}Content`](call, patch);
    await patch({ status: "completed", rawOutput: { exit: 0 } });
  }

  async readContent({ toolCallId }) {
    for (const line of ["one\n", "two\n"])
      await this.update({ sessionUpdate: "tool_call_content_chunk", toolCallId, content: { type: "content", content: text(line) } });
  }

  editContent(call, patch) {
    const { path } = call.rawInput;
    const diff = `diff --git a${path} b${path}\n--- a${path}\n+++ b${path}\n@@ -1 +1,2 @@\n one\n+two\n`;
    const changes = [{ operation: "modify", path, fileType: "text" }];
    return patch({ content: [{ type: "diff", changes, patch: { format: "git_patch", text: diff } }] });
  }

  /** The output's bytes are cut inside a character. */
  async executeContent(call, patch) {
    const terminalId = nextId(this.session, "terminal");
    await this.update({ sessionUpdate: "terminal_update", terminalId, command: "ls -l", cwd: this.session.cwd });
    await patch({ content: [{ type: "terminal", terminalId }] });
    const bytes = Buffer.from("total 0 \u2014 h\u00e9\n");
    for (const part of [bytes.subarray(0, 9), bytes.subarray(9)])
      await this.update({ sessionUpdate: "terminal_output_chunk", terminalId, data: part.toString("base64") });
    await this.update({ sessionUpdate: "terminal_update", terminalId, exitStatus: { exitCode: 0 } });
  }

  async plan() {
    for (const done of [0, 1, 3]) await this.update({ sessionUpdate: "plan_update", plan: { type: "items", planId: "plan-1", entries: planAt(done) } });
  }

  mode() {
    return this.update({ sessionUpdate: "config_option_update", configOptions: [modelOption(this.session, "configId")] }, false);
  }

  commands() {
    return this.update({ sessionUpdate: "available_commands_update", availableCommands: commandList }, false);
  }

  fs() {
    return this.say(["read: not in version 2"]);
  }

  term() {
    return this.say(["ran: not in version 2"]);
  }
}

export function makeV2(sessions) {
  const app = acp.agent({ name: "peer-v2" });
  const desk = new Desk(acp, app, sessions);
  desk.states = new Map();
  const state = (session) => (offers("config") ? { configOptions: [modelOption(session, "configId")] } : {});

  desk.on(asking.initialize, () => {
    const session = {};
    if (offers("delete")) session.delete = {};
    if (offers("dirs")) session.additionalDirectories = {};
    if (offers("status")) session.status = {};
    if (offers("mcp")) session.mcp = { stdio: {}, http: {} };
    session.prompt = {};
    for (const [name, marker] of [["image", "image"], ["audio", "audio"], ["embedded", "embeddedContext"]])
      if (offers(name)) session.prompt[marker] = {};
    return {
      protocolVersion: 2,
      info: { name: "peer-v2", title: "Peer of version 2", version: "1.0.0" },
      capabilities: { session, auth: offers("authstatus") ? { status: switches.rfd ? true : {} } : {} },
      authMethods: [{ type: "agent", methodId: "key", name: "Use a key", description: "Pretends to log in" }],
    };
  });
  desk.on(asking.auth.login, ({ params }) => desk.logIn(params.methodId));
  desk.on(asking.auth.logout, () => desk.logOut());
  if (offers("authstatus")) desk.on("auth/status", () => desk.authStatus());
  if (offers("status"))
    desk.on("session/status", ({ params }) => {
      const answer = desk.status(params.sessionId);
      if (sessions.held(params.sessionId)) answer.state = desk.states.get(params.sessionId) ?? { state: "idle" };
      return answer;
    });
  desk.on(asking.session.list, ({ params }) => sessions.page(params));
  desk.on(asking.session.close, ({ params }) => desk.close(params.sessionId));
  if (offers("delete")) desk.on(asking.session.delete, ({ params }) => desk.remove(params.sessionId));
  desk.on(asking.session.resume, async ({ params, client }) => {
    const session = desk.take(params.sessionId);
    const tell = (update) => client.notify(telling.session.update, { sessionId: session.id, update });
    if (params.replayFrom?.type === "start") for (const update of session.history) await tell(update);
    await tell({ sessionUpdate: "state_update", state: "idle", stopReason: "end_turn" });
    return state(session);
  });
  desk.on(asking.session.new, async ({ params, client }) => {
    desk.needLogin("required");
    const session = sessions.create(params.cwd);
    if (switches.early) await new VoiceV2(session, client, desk).commands();
    return { sessionId: session.id, ...state(session), availableCommands: commandList };
  });
  if (offers("config"))
    desk.on(asking.session.setConfigOption, ({ params }) => {
      const session = desk.held(params.sessionId);
      desk.setModel(session, params.configId, params.value);
      return state(session);
    });
  desk.on(asking.session.prompt, async ({ params, client }) => {
    desk.needLogin("prompt");
    const session = desk.held(params.sessionId);
    if (desk.turns.has(session.id)) throw desk.error(-32600, "a turn is running");
    const control = new AbortController();
    desk.turns.set(session.id, control);
    const voice = new VoiceV2(session, client, desk);
    const messageId = nextId(session, "user");
    const inserted = { sessionUpdate: "user_message", messageId, content: params.prompt };
    const beats = parse(params.prompt);
    const turn = async () => {
      if (!switches.early) await voice.update(inserted);
      await voice.state({ state: "running" });
      const end = await play(beats, voice, control.signal);
      desk.turns.delete(session.id);
      sessions.keep(session);
      const failed = { stopReason: "error", error: { code: end.fail, message: "as the prompt wanted" } };
      await voice.state({ state: "idle", ...(end.fail ? failed : { stopReason: end.reason }) });
      for (const beat of beats) if (beat.name === "late") setTimeout(() => void voice.say([beat.arg]), 50);
    };
    if (switches.early) await voice.update(inserted);
    setImmediate(() => turn().catch((error) => process.stderr.write(`turn: ${error?.stack ?? error}\n`)));
    return { messageId };
  });
  app.onNotification(asking.session.cancel, ({ params }) => desk.stop(params.sessionId));
  return app;
}
