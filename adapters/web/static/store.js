// The page's state of the room, and the changes that news makes to it.
//
// A stream's messages are numbered without gaps. The page keeps an unbroken run of them, and
// fetches the missing ones whenever a number doesn't follow. So no message is lost or doubled,
// however often the connection breaks.

import { say } from "./say.js";
import { call } from "./api.js";

export const store = {
  me: /** @type {Person} */ ({ id: "", name: "" }), // "" before the person has come in
  keeper: false,
  open: false, // whether anyone may enter
  commands: /** @type {Command[]} */ ([]),
  people: /** @type {Map<string, Presence>} */ (new Map()), // by id
  some: false, // whether there are more people than these
  here: 0, // number of people present
  streams: /** @type {Map<string, Stream>} */ (new Map()), // by id
  mine: /** @type {GameInfo[]} */ ([]), // the person's running games
  current: "", // id of the stream in view; "" before there is one and on the home page
};

/** @type {Promise<void> | undefined} */
let learning;

/** learn loads the host's commands, which a person needs to type one or to look them up. Until then
 * the page knows only how games are started. */
export const learn = () => (learning ??= call("commands", undefined, { tries: 2 }).then((all) => {
  store.commands = all;
  emit("commands");
}).catch(() => {
  learning = undefined; // tried again when it is needed again
}));

/** @type {Map<string, ((...args: any[]) => void)[]>} */
const listeners = new Map();

// on calls f after each event of a kind:
//
//	greeted  the connection is made (again)
//	side     the list of conversations has changed
//	stream   a stream has changed
//	said     a new message: the message, its stream
//	command  a command was chosen from a menu: its line
//	waits    the person waits for an opponent, or no longer does
//	chat     the message box is needed, which a phone hides behind the board
//	answered a private answer of the host: the stream, the answer
//	table    news of the table in a stream
/** @param {string} kind @param {(...args: any[]) => void} f */
export function on(kind, f) {
  listeners.set(kind, [...(listeners.get(kind) ?? []), f]);
}

/** @param {string} kind @param {...any} args */
export function emit(kind, ...args) {
  for (const f of listeners.get(kind) ?? []) f(...args);
}

/** stream returns the stream with an id, adding it if it is new. @param {string} id @returns {Stream} */
export function stream(id) {
  let s = store.streams.get(id);
  if (!s) {
    const [dm, ...readers] = id.split(".");
    const direct = dm === "dm" && readers.length > 0;
    // A thread for a table is beside a channel or a conversation.
    const game = direct ? readers.at(-1)?.startsWith("g-") : readers.length > 0;
    s = {
      id,
      kind: game ? "game" : !direct ? "channel" : readers.length === 1 ? "host" : "direct",
      with: readers.find((r) => r !== store.me.id) ?? "",
      last: 0,
      read: 0,
      unread: 0,
      mentions: 0,
      messages: [], // an unbroken run up to the last message, once loaded
      loaded: false,
      start: false, // whether the run begins with the first message
      answers: [], // private answers
      rack: null, // the private answer with the person's rack here
      pending: [], // own messages being sent
      draft: "",
    };
    store.streams.set(id, s);
  }
  return s;
}

/** title returns a stream's title. @param {Stream} s */
export function title(s) {
  if (s.kind === "host") return "Rackmate";
  if (s.kind === "direct") return nameOf({ id: s.with });
  if (s.kind === "game") return players(s) || s.name || say("Game");
  return "#" + (s.name || s.id);
}

/** players returns the names of the other players of a thread's game. @param {Stream} s */
function players(s) {
  /** @type {{ name: string, own?: boolean }[]} */
  const all = store.mine.find((g) => g.stream === s.id)?.players ?? (s.sight?.players ?? []).map((p) => ({ name: p.name, own: !p.robot && p.name === store.me.name }));
  return all.filter((p) => !p.own || all.length === 1).map((p) => p.name).join(", ");
}

/** nameOf returns a person's current name, or their last one if they have left. @param {{ id: string, name?: string }} [person] */
export function nameOf(person) {
  if (!person) return "Rackmate";
  return store.people.get(person.id)?.name ?? person.name ?? say("Somebody who left");
}

/** @param {Reply} m */
export const mentionsMe = (m) => m.text.some((t) => t.notify && t.person === store.me.id);

/**
 * greet replaces the state by the greeting of a live connection.
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

/** hear adds a new message. @param {Message} m */
export function hear(m) {
  const s = stream(m.stream);
  if (s.kind !== "game") s.listed = true; // a game is listed for its players only
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

/** edited replaces a message that was edited. @param {Message} m */
export function edited(m) {
  const s = stream(m.stream);
  const i = s.messages.findIndex((old) => old.number === m.number);
  if (i < 0) return;
  s.messages[i] = { ...m, edits: (s.messages[i].edits ?? 0) + 1 };
  emit("stream", s);
}

/** markedRead updates how far the person has read, here or in another window. @param {{ stream: string, read: number }} mark */
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

/** load fetches a stream's latest messages when it is first shown. @param {Stream} s */
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

/** fill fetches the messages missing at the end of the run. @param {Stream} s */
async function fill(s) {
  if (s.filling) return;
  s.filling = true;
  try {
    while (end(s) < s.last) {
      let got = await page(s, 0);
      while (got.length && got[0].number > end(s) + 1) {
        if (got.length > 400) {
          // After a long absence, start a new run; scrolling loads the older ones.
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
    // The next greeting starts this again.
  } finally {
    s.filling = false;
  }
  emit("stream", s);
}

/** settle removes pending messages that have arrived. @param {Stream} s */
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
