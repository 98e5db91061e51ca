// How a peer is to behave, from its environment. All switches are optional.
//
//   PEER_VERSIONS  protocol versions it speaks: 1, 2 or 1,2 (default 1,2: the SDK's router picks)
//   PEER_ENTRY     stable or unstable: the SDK's entry point (default unstable)
//   PEER_WITHOUT   comma list of what it does not offer: status authstatus resume load list close
//                  delete logout modes config image embedded audio dirs mcp
//   PEER_SPELLING  rfd: session/status and auth/status as the RFDs spell them, not as the SDK's schema
//   PEER_LOGIN     required: sessions only after a login; prompt: only the first prompt finds out
//   PEER_STORE     folder in which sessions outlive the process
//   PEER_EARLY     1: updates before the answer to session/new; in v2 also the user message before the
//                  answer to session/prompt
//   PEER_DIE       initialize, new or prompt: exits with status 7 when asked for it
//   PEER_MUTE      a method that is never answered
//   PEER_NOISE     comma list of stdout (a banner that is no JSON), stderr (some lines), flood (4 MiB of stderr)
//   PEER_PAGE      page size of session/list (default 2)
//   PEER_TRACE     file to which every line is appended as {"from","line"}
const env = process.env;
const list = (name) => new Set((env[name] ?? "").split(",").filter(Boolean));
const without = list("PEER_WITHOUT");

export const versions = list("PEER_VERSIONS").size ? list("PEER_VERSIONS") : new Set(["1", "2"]);
export const unstable = env.PEER_ENTRY !== "stable";
export const offers = (feature) => !without.has(feature);
export const rfd = env.PEER_SPELLING === "rfd";
export const login = env.PEER_LOGIN ?? "";
export const store = env.PEER_STORE ?? "";
export const early = env.PEER_EARLY === "1";
export const die = env.PEER_DIE ?? "";
export const mute = env.PEER_MUTE ?? "";
export const noise = list("PEER_NOISE");
export const page = Number(env.PEER_PAGE ?? 2);
export const trace = env.PEER_TRACE ?? "";

/** Ends the process, or never answers, where a switch says so for this method. */
export function fate(method) {
  if (die && method.endsWith(die)) process.exit(7);
  if (mute && method === mute) return new Promise(() => {});
}
