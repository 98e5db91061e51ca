// The sessions of a peer: those in memory, and those that a folder keeps.
// Ids are counted, so that two runs of one scenario say the same.
import fs from "node:fs";
import path from "node:path";
import * as switches from "./switches.mjs";

export class Sessions {
  #memory = new Map();
  #kept = new Map();
  #count = 0;

  constructor(folder = switches.store) {
    this.folder = folder;
    if (!folder) return;
    fs.mkdirSync(folder, { recursive: true });
    for (const name of fs.readdirSync(folder)) {
      const session = JSON.parse(fs.readFileSync(path.join(folder, name), "utf8"));
      this.#kept.set(session.id, session);
    }
    this.#count = this.#kept.size;
  }

  create(cwd) {
    const session = { id: `session-${++this.#count}`, cwd, title: null, mode: "ask", model: "small", ids: 0, history: [] };
    this.#memory.set(session.id, session);
    return session;
  }

  /** A turn makes a session worth keeping. */
  keep(session) {
    this.#kept.set(session.id, session);
    if (this.folder) fs.writeFileSync(path.join(this.folder, `${session.id}.json`), JSON.stringify(session));
  }

  held(id) {
    return this.#memory.get(id);
  }

  known(id) {
    return this.#memory.get(id) ?? this.#kept.get(id);
  }

  take(id) {
    const session = this.known(id);
    if (session) this.#memory.set(id, session);
    return session;
  }

  close(id) {
    const session = this.#memory.get(id);
    if (session) this.keep(session);
    return this.#memory.delete(id);
  }

  remove(id) {
    this.#memory.delete(id);
    this.#kept.delete(id);
    if (this.folder) fs.rmSync(path.join(this.folder, `${id}.json`), { force: true });
  }

  page(params) {
    const all = [...new Map([...this.#kept, ...this.#memory]).values()]
      .filter((s) => !params?.cwd || s.cwd === params.cwd)
      .sort((a, b) => a.id.localeCompare(b.id, "en", { numeric: true }));
    const from = params?.cursor ? Number(params.cursor.slice("after-".length)) : 0;
    const to = from + switches.page;
    return {
      sessions: all.slice(from, to).map((s) => ({ sessionId: s.id, cwd: s.cwd, title: s.title })),
      ...(to < all.length ? { nextCursor: `after-${to}` } : {}),
    };
  }
}

/** The next id of a kind within a session. */
export const nextId = (session, kind) => `${kind}-${++session.ids}`;
