// What both versions of a peer say in the same way.
import path from "node:path";
import { nextId } from "./sessions.mjs";
import { dot, permissionOptions } from "./script.mjs";

export const text = (value) => ({ type: "text", text: value });

/** The tool calls of the script, as far as the versions agree on them. */
export function toolCall(session, what) {
  const file = path.join(session.cwd, "notes.txt");
  return {
    toolCallId: nextId(session, "call"),
    title: { read: "Read notes.txt", edit: "Edit notes.txt", run: "ls -l" }[what],
    kind: { read: "read", edit: "edit", run: "execute" }[what],
    status: "pending",
    rawInput: what === "run" ? { command: "ls -l" } : { path: file },
    ...(what === "run" ? {} : { locations: [{ path: file, line: 1 }] }),
  };
}

const told = (error) => `error ${error.code}`;

export class Voice {
  /** methods are those of the SDK that the peer asks and tells the client. */
  constructor(session, client, methods) {
    Object.assign(this, { session, client, methods });
  }

  async update(update, kept = true) {
    if (kept) this.session.history.push(update);
    await this.client.notify(this.methods.session.update, { sessionId: this.session.id, update });
  }

  async chunks(sessionUpdate, texts) {
    const messageId = nextId(this.session, "message");
    for (const part of texts) await this.update({ sessionUpdate, messageId, content: text(part) });
  }

  say(texts) {
    return this.chunks("agent_message_chunk", texts);
  }

  think(texts) {
    return this.chunks("agent_thought_chunk", texts);
  }

  content(content) {
    const messageId = nextId(this.session, "message");
    return this.update({ sessionUpdate: "agent_message_chunk", messageId, content });
  }

  image() {
    return this.content({ type: "image", mimeType: "image/png", data: dot });
  }

  resource() {
    return this.content({ type: "resource", resource: { uri: "file:///notes.txt", mimeType: "text/plain", text: "one\n" } });
  }

  usage() {
    return this.update({ sessionUpdate: "usage_update", used: 1200, size: 200000, cost: { amount: 0.25, currency: "USD" } }, false);
  }

  title(title) {
    this.session.title = title;
    return this.update({ sessionUpdate: "session_info_update", title }, false);
  }

  notice() {
    return this.update({ sessionUpdate: "notice", severity: "warning", title: "Rate limit near", description: "Slow down." }, false);
  }

  async compact() {
    const compactionId = nextId(this.session, "compaction");
    await this.update({ sessionUpdate: "compaction_update", compactionId, status: "in_progress" });
    await this.update({ sessionUpdate: "compaction_summary_chunk", compactionId, content: text("What was said so far.") });
    await this.update({ sessionUpdate: "compaction_update", compactionId, status: "completed" });
  }

  agent() {
    return this.update({ sessionUpdate: "subagent_update", sessionId: "child-1", title: "Searcher", state: { state: "running" } });
  }

  message() {
    const messageId = nextId(this.session, "letter");
    return this.update({ sessionUpdate: "session_message", messageId, recipientSessionId: "child-1", content: [text("Look in src.")] });
  }

  custom() {
    return this.update({ sessionUpdate: "_peer_weather", sky: "clear", degrees: 21.5 }, false);
  }

  /** Asks for permission; what names the tool call in the version's own way. */
  permission(what) {
    return this.client.request(this.methods.session.requestPermission, { sessionId: this.session.id, ...what, options: permissionOptions });
  }

  /** Asks the client and says what came back, be it an error. */
  async ask(label, method, params, gist) {
    const answer = await this.client.request(method, params).then(gist, told);
    await this.say([`${label}: ${answer}`]);
  }

  elicit() {
    const requestedSchema = { type: "object", properties: { colour: { type: "string" } } };
    const params = { mode: "form", sessionId: this.session.id, message: "Which colour?", requestedSchema };
    return this.ask("elicitation", this.methods.elicitation.create, params, (result) => result.action);
  }

  askUnknown() {
    return this.ask("unknown request", "_peer/question", { n: 1 }, () => "answered");
  }
}
