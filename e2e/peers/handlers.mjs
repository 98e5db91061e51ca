// What both versions of a peer answer in the same way.
import * as switches from "./switches.mjs";

const passThrough = { parse: (params) => params };

/** The state of one connection: its login and the turns that run. */
export class Desk {
  loggedIn = false;
  turns = new Map(); // session id -> AbortController

  constructor(acp, app, sessions) {
    Object.assign(this, { acp, app, sessions });
  }

  error(code, message, data) {
    return new this.acp.RequestError(code, message, data);
  }

  /** -32002 as the RFD spells it, or as the SDK does. */
  missing(id) {
    return this.error(-32002, `no session ${id}`, switches.rfd ? { sessionId: id } : { uri: id });
  }

  /** Answers a method; one that the entry point does not know is taken as it comes. */
  on(method, handler) {
    const answer = async (context) => {
      await switches.fate(method);
      return handler(context);
    };
    const known = Object.values(this.acp.AGENT_METHODS).includes(method);
    if (known) this.app.onRequest(method, answer);
    else this.app.onRequest(method, passThrough, answer);
  }

  needLogin(when) {
    if (switches.login === when && !this.loggedIn) throw this.error(-32000, "log in first");
  }

  logIn(methodId) {
    if (methodId !== "key") throw this.error(-32602, `no method ${methodId}`);
    this.loggedIn = true;
    return {};
  }

  logOut() {
    this.loggedIn = false;
    return {};
  }

  take(id) {
    this.needLogin("required");
    const session = this.sessions.take(id);
    if (!session) throw this.missing(id);
    return session;
  }

  held(id) {
    const session = this.sessions.held(id);
    if (!session) throw this.missing(id);
    return session;
  }

  stop(id) {
    this.turns.get(id)?.abort();
  }

  close(id) {
    this.stop(id);
    if (!this.sessions.close(id)) throw this.missing(id);
    return {};
  }

  remove(id) {
    this.stop(id);
    this.sessions.remove(id);
    return {};
  }

  status(id) {
    if (!this.sessions.known(id)) throw this.missing(id);
    const [held, saved] = switches.rfd ? ["active", "inactive"] : ["open", "saved"];
    return { status: this.sessions.held(id) ? held : saved };
  }

  authStatus() {
    if (switches.rfd) return { authenticated: this.loggedIn, message: this.loggedIn ? "key found" : null };
    if (!switches.login) return { state: "not_required" };
    return this.loggedIn ? { state: "authenticated", accounts: [{ label: "key", active: true }] } : { state: "unauthenticated" };
  }

  setModel(session, id, value) {
    if (id !== "model" || !["small", "large"].includes(value)) throw this.error(-32602, `no ${id} ${value}`);
    session.model = value;
  }
}

/** The model as a configuration option; the versions differ in the name of its id. */
export const modelOption = (session, idName) => ({
  [idName]: "model",
  name: "Model",
  category: "model",
  type: "select",
  currentValue: session.model,
  options: [
    { value: "small", name: "Small" },
    { value: "large", name: "Large" },
  ],
});
