// What the page knows of the room, and how news changes it.
//
// A stream's messages are numbered without gaps. The page keeps an unbroken
// run of them, and fetches what is missing whenever it hears of a number that
// doesn't follow: nothing is lost or doubled, however often the connection
// breaks.

import { say } from "./say.js";
import { call } from "./api.js";

export const store = {
  me: /** @type {Person} */ ({ id: "", name: "" }), // "" before one has come in
  keeper: false,
  open: false, // anybody who reaches the room may come in
  commands: /** @type {Command[]} */ ([]),
  people: /** @type {Map<string, Presence>} */ (new Map()), // by id
  some: false, // there are more people than those
  here: 0, // how many people are here
  streams: /** @type {Map<string, Stream>} */ (new Map()), // by id
  mine: /** @type {GameInfo[]} */ ([]), // the games that one is in the middle of
  current: "", // the id of the stream in view; "" before there is one, and at home
};

/** @type {Map<string, ((...args: any[]) => void)[]>} */
const listeners = new Map();

// on calls f whenever something of a kind happened:
//
//	greeted  the connection is there (again)
//	side     what the list of conversations shows has changed
//	stream   what a stream shows has changed
//	said     somebody said something: the message, its stream
//	command  a command was chosen from a menu: its line
//	chat     the box is wanted, which a phone hides behind the board
//	answered the host answered in private: the stream, the answer
//	table    the host told something of the table in a stream
/** @param {string} kind @param {(...args: any[]) => void} f */
export function on(kind, f) {
  listeners.set(kind, [...(listeners.get(kind) ?? []), f]);
}

/** @param {string} kind @param {...any} args */
export function emit(kind, ...args) {
  for (const f of listeners.get(kind) ?? []) f(...args);
}

/** stream finds a stream by its id, or begins to keep it. @param {string} id @returns {Stream} */
export function stream(id) {
  let s = store.streams.get(id);
  if (!s) {
    const [dm, ...readers] = id.split(".");
    const direct = dm === "dm" && readers.length > 0;
    // A place for a table stands beside a channel, or beside a conversation.
    const game = direct ? readers.at(-1)?.startsWith("g-") : readers.length > 0;
    s = {
      id,
      kind: game ? "game" : !direct ? "channel" : readers.length === 1 ? "host" : "direct",
      with: readers.find((r) => r !== store.me.id) ?? "",
      last: 0,
      read: 0,
      unread: 0,
      mentions: 0,
      messages: [], // an unbroken run that ends with the last, once it is loaded
      loaded: false,
      start: false, // the run begins with the first message
      answers: [], // private answers
      rack: null, // the private answer that shows what the person holds here
      pending: [], // own messages on their way
      draft: "",
    };
    store.streams.set(id, s);
  }
  return s;
}

/** title is what to call a stream. @param {Stream} s */
export function title(s) {
  if (s.kind === "host") return "Rackmate";
  if (s.kind === "direct") return nameOf({ id: s.with });
  if (s.kind === "game") return players(s) || s.name || say("Game");
  return "#" + (s.name || s.id);
}

/** players names those at the table of a game's place, but oneself. @param {Stream} s */
function players(s) {
  /** @type {{ name: string, own?: boolean }[]} */
  const all = store.mine.find((g) => g.stream === s.id)?.players ?? (s.sight?.players ?? []).map((p) => ({ name: p.name, own: !p.robot && p.name === store.me.name }));
  return all.filter((p) => !p.own || all.length === 1).map((p) => p.name).join(", ");
}

/** nameOf is what somebody is called now, or was when they left. @param {{ id: string, name?: string }} [person] */
export function nameOf(person) {
  if (!person) return "Rackmate";
  return store.people.get(person.id)?.name ?? person.name ?? say("Somebody who left");
}

/** @param {Reply} m */
export const mentionsMe = (m) => m.text.some((t) => t.notify && t.person === store.me.id);

/**
 * greet takes in the greeting of a live connection, which has everything.
 * @param {{ me: Person, keeper?: boolean, people: Presence[], some?: boolean, here: number, streams: StreamInfo[] }} hello
 */
export function greet(hello) {
  store.me = hello.me;
  store.keeper = Boolean(hello.keeper);
  store.people = new Map(hello.people.map((p) => [p.id, p]));
  store.some = !!hello.some;
  store.here = hello.here;
  for (const info of hello.streams) {
    const s = stream(info.id);
    Object.assign(s, info, { last: Math.max(s.last, info.last), listed: true });
    if (s.loaded) fill(s);
  }
  emit("greeted");
  emit("side");
}

/** hear takes in a new message. @param {Message} m */
export function hear(m) {
  const s = stream(m.stream);
  if (s.kind !== "game") s.listed = true; // a game is on the lists of its players alone
  if (m.number <= s.last) return;
  const follows = m.number === end(s) + 1;
  s.last = m.number;
  if (m.from?.id === store.me.id) {
    s.pending = s.pending.filter((p) => p.id !== m.id);
  } else {
    s.unread++;
    if (mentionsMe(m)) s.mentions++;
    emit("said", m, s);
  }
  if (s.loaded && follows) s.messages.push(m);
  else if (s.loaded) fill(s);
  if (m.table) emit("table", stream(m.about || m.stream));
  emit("stream", s);
  emit("side");
}

/** edited takes in a message with another text. @param {Message} m */
export function edited(m) {
  const s = stream(m.stream);
  const i = s.messages.findIndex((old) => old.number === m.number);
  if (i < 0) return;
  s.messages[i] = { ...m, edits: (s.messages[i].edits ?? 0) + 1 };
  emit("stream", s);
}

/** markedRead takes in how far the person has read, here or in another window. @param {{ stream: string, read: number }} mark */
export function markedRead({ stream: id, read }) {
  const s = stream(id);
  if (read <= s.read) return;
  s.read = read;
  s.unread = Math.max(0, s.last - read);
  s.mentions = Math.min(s.mentions, s.unread);
  emit("side");
}

/** @param {Stream} s */
const end = (s) => s.messages.at(-1)?.number ?? 0;

/** @param {Stream} s @param {number} before @returns {Promise<Message[]>} */
const page = async (s, before) => (await call("messages", { stream: s.id, before }, { tries: Infinity })).messages;

/** load fetches a stream's latest messages the first time it is looked at. @param {Stream} s */
export async function load(s) {
  if (s.loaded || s.loading) return;
  s.loading = true;
  try {
    const got = await page(s, 0);
    s.messages = got;
    s.last = Math.max(s.last, end(s));
    s.start = got.length === 0 || got[0].number === 1;
    s.loaded = true;
    settle(s);
  } finally {
    s.loading = false;
  }
  emit("stream", s);
  if (end(s) < s.last) fill(s);
}

/** fill fetches what is missing at the end of the run. @param {Stream} s */
async function fill(s) {
  if (s.filling) return;
  s.filling = true;
  try {
    while (end(s) < s.last) {
      let got = await page(s, 0);
      while (got.length && got[0].number > end(s) + 1) {
        if (got.length > 400) {
          // Away for very long: begin anew, older ones load by scrolling.
          s.messages = [];
          s.start = false;
          break;
        }
        const before = await page(s, got[0].number);
        if (!before.length) break;
        got = [...before, ...got];
      }
      s.messages.push(...got.filter((m) => m.number > end(s)));
      s.last = Math.max(s.last, end(s));
      settle(s);
      if (!got.length) break;
    }
  } catch {
    // The next greeting begins this again.
  } finally {
    s.filling = false;
  }
  emit("stream", s);
}

/** settle drops what was on its way and has arrived. @param {Stream} s */
function settle(s) {
  const there = new Set(s.messages.filter((m) => m.from?.id === store.me.id).map((m) => m.id));
  s.pending = s.pending.filter((p) => !there.has(p.id));
}

/** older fetches the messages before the first one. @param {Stream} s */
export async function older(s) {
  if (!s.loaded || s.start || s.loading) return;
  s.loading = true;
  try {
    const got = await page(s, s.messages[0]?.number ?? 0);
    const first = s.messages[0]?.number ?? Infinity;
    s.messages.unshift(...got.filter((m) => m.number < first));
    s.start = got.length === 0 || got[0].number === 1;
  } finally {
    s.loading = false;
  }
  emit("stream", s);
}
