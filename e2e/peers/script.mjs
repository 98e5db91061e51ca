// What a prompt makes a peer do. The prompt's words are played one by one:
//
//   say:TEXT think:TEXT       a message or thought, in chunks (here and in other TEXTs an underscore is a space)
//   read edit run both        tool calls; edit and run ask for permission, both asks twice at once
//   plan usage title:TEXT mode commands image resource
//   notice compact agent message custom    drafts, and an update of a kind that nobody knows
//   elicit ask-unknown        requests to the client; what came back is said
//   fs:PATH term:COMMAND      client methods of v1; what came back is said
//   many:N big:KIB            N chunks; one chunk of so many KiB
//   pause:MS wait             wait goes on until the turn is cancelled
//   stop:REASON fail:CODE die:STATUS silent
//   late:TEXT                 a chunk after the end of the turn
//   noise:TEXT                a line on stdout that is no message
//
// A prompt without any of these is echoed.
const words = new Set(
  ("say think read edit run both plan usage title mode commands image resource notice compact agent message custom elicit " +
    "ask-unknown fs term many big pause wait stop fail die silent late noise").split(" "),
);

export function parse(blocks) {
  const text = blocks.filter((b) => b.type === "text").map((b) => b.text).join("\n");
  const beats = [];
  for (const word of text.split(/\s+/).filter(Boolean)) {
    const at = word.indexOf(":");
    const name = at < 0 ? word : word.slice(0, at);
    const arg = at < 0 ? "" : word.slice(at + 1);
    if (words.has(name)) beats.push({ name, arg: name === "stop" ? arg : arg.replaceAll("_", " ") });
  }
  if (beats.length) return beats;
  const kinds = blocks.map((b) => b.type).filter((type) => type !== "text");
  return [{ name: "say", arg: `You said: ${text}${kinds.length ? ` [${kinds.join(", ")}]` : ""}` }];
}

/** Text in chunks of a few characters, never through the middle of one. */
export function chunks(text, size = 7) {
  const points = [...text];
  const out = [];
  for (let i = 0; i < points.length; i += size) out.push(points.slice(i, i + size).join(""));
  return out;
}

export const planAt = (done) =>
  ["read the code", "change it", "run the tests"].map((content, i) => ({
    content,
    priority: i === 1 ? "high" : "low",
    status: i < done ? "completed" : i === done ? "in_progress" : "pending",
  }));

export const permissionOptions = ["allow_once", "allow_always", "reject_once", "reject_always"].map((kind) => ({
  optionId: `opt-${kind}`,
  name: kind.replaceAll("_", " "),
  kind,
}));

export const allowed = (response) => response.outcome.outcome === "selected" && response.outcome.optionId.startsWith("opt-allow");

export const dot = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

/** Resolves after ms or when the signal fires, whichever is first. */
export const pause = (ms, signal) =>
  new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const timer = ms === Infinity ? setInterval(() => {}, 1 << 30) : setTimeout(resolve, ms);
    signal.addEventListener("abort", () => (clearTimeout(timer), resolve()), { once: true });
  });

/** Announces tool calls, asks for all of them at once, then runs them one by one. */
async function tools(voice, names) {
  const calls = [];
  for (const name of names) calls.push(await voice.begin(name));
  const may = await Promise.all(calls.map((call) => call.kind === "read" || voice.allow(call)));
  for (const [i, call] of calls.entries()) await voice.finish(call, may[i]);
}

/**
 * Plays beats through a voice, which says things in one protocol version.
 * Returns how the turn ended: {reason} or {fail: code}; late beats are left to
 * the caller, who knows when the turn is over.
 */
export async function play(beats, voice, signal) {
  for (const { name, arg } of beats) {
    if (signal.aborted) return { reason: "cancelled" };
    switch (name) {
      case "late":
        break;
      case "pause":
        await pause(Number(arg), signal);
        break;
      case "wait":
        await pause(Infinity, signal);
        break;
      case "silent":
        return { reason: "end_turn" };
      case "stop":
        return { reason: arg };
      case "fail":
        return { fail: Number(arg) };
      case "die":
        process.exit(Number(arg));
        break;
      case "noise":
        process.stdout.write(arg + "\n");
        break;
      case "many":
        for (let i = 0; i < Number(arg); i++) await voice.say([`${i} `]);
        break;
      case "big":
        await voice.say(["0123456789abcdef".repeat(64 * Number(arg))]);
        break;
      case "say":
      case "think":
        await voice[name](chunks(arg));
        break;
      case "both":
        await tools(voice, ["edit", "run"]);
        break;
      case "read":
      case "edit":
      case "run":
        await tools(voice, [name]);
        break;
      case "ask-unknown":
        await voice.askUnknown();
        break;
      default:
        await voice[name](arg);
    }
  }
  return { reason: signal.aborted ? "cancelled" : "end_turn" };
}
