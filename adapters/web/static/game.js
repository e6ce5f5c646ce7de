// The table of the current conversation, on a board to play on. The conversation is beside it on a
// wide screen. On a phone it is a sheet, and the strip below the board shows its last line.

import { $, el, find, icon, announce } from "./dom.js";
import { kept } from "./kept.js";
import { say } from "./say.js";
import { ask as askAt, call, newID, plain, refusal } from "./api.js";
import { store, on, emit, stream, nameOf } from "./store.js";
import { addAnswer, onBoard, press as pressOf, toLatest } from "./stream.js";
import { asks, mount } from "./board.js";
import { settings, here, tick } from "./settings.js";
import * as rack from "./rack.js";
import { seated } from "./callback.js";
import { go, stands } from "./nav.js";
import { playRobot, share, open as openNew } from "./new.js";

const root = $("game");
const talk = find(".talk");
/** @type {Board} */
let board;
let asked = 0; // number of the latest request, for dropping late answers

// Plays without an answer yet. They are kept with the tab, so that each is sent once, under one id,
// whatever happens to the connection or the page.
/** @type {Play[]} */
let outbox = kept.get("plays", []);

export function start() {
  board = mount($("board"), { act: (request) => (review?.tries() ? review.judge(request) : act(request)), draft: (play) => (review?.tries() ? review.draft(play) : draft(play)), press, say: announce, settings, sound: tick, questions: true, share, next: () => (another() ? go(another()) : openNew()), more: () => another() !== "", review: showReview, moves: $("moves") });
  on("table", ask);
  on("games", () => board.again?.());
  on("greeted", () => store.current && ask(stream(store.current)));
  $("chat-open").append(icon("chat"));
  $("chat-close").append(icon("close"));
  $("chat-open").addEventListener("click", () => chat(!talk.classList.contains("chatting")));
  $("chat-close").addEventListener("click", () => chat(false));
  $("chat").addEventListener("keydown", (e) => e.key === "Escape" && !e.defaultPrevented && chat(false));
  root.addEventListener("pointerdown", () => chat(false, { focus: false }));
  strip.addEventListener("click", (e) => !/** @type {HTMLElement} */ (e.target).closest(".button") && chat(true));
  on("chat", () => chat(true, { focus: false }));
  on("said", (m, s) => {
    if (s.id !== store.current || !m.from || talk.classList.contains("chatting")) return;
    unheard++;
    tell(nameOf(m.from) + ": " + plain(m));
  });
  on("answered", (s, reply) => s.id === store.current && !talk.classList.contains("chatting") && tell(plain(reply), reply));
  $("watching").append(el("span", { class: "quiet" }, say("You are watching.")),
    el("button", { type: "button", class: "button small primary", onclick: () => playRobot() }, say("Play a robot")),
    el("button", { type: "button", class: "button small", onclick: () => openNew() }, say("New game…")));
  for (const play of outbox) deliver(play).catch(() => {});
}

/** another returns the page of the person's next game that waits for them, after the one in view, or "". */
function another() {
  const page = store.current && stream(store.current).page, at = store.mine.findIndex((g) => g.page === page);
  return [...store.mine.slice(at + 1), ...store.mine.slice(0, Math.max(0, at))].find((g) => g.turn && g.page !== page)?.page ?? "";
}

/** show shows a stream's table. @param {Stream} s */
export function show(s) {
  talk.classList.toggle("awaits", !s.looked);
  draw(s);
  ask(s);
}

/** open returns the stream of the game whose page a key names, or undefined if it is in view. @param {string} key @returns {Promise<Stream | undefined>} */
export async function open(key) {
  const now = store.current && stream(store.current);
  if (now && now.page === "/g/" + key) return;
  const seen = await call("table", { key }, { tries: 3 });
  const s = stream(seen.stream);
  Object.assign(s, { game: seen.old ? key : "", sight: seen.sight, page: seen.page, wants: false });
  return s;
}

/** ask requests the table of a stream, if the stream is in view. @param {Stream} s */
async function ask(s) {
  if (s.id !== store.current) return;
  const question = ++asked;
  try {
    const { sight, page } = await call("table", s.game ? { key: s.game } : { stream: s.id });
    if (question !== asked && s.id !== store.current) return;
    if (sight?.table !== s.sight?.table) {
      s.wants = false;
      tell(""); // an answer about the game before
    }
    const before = standing(s), waited = s.sight && !s.sight.own?.turn;
    if (!s.sight || !sight || sight.table !== s.sight.table || sight.number >= s.sight.number) Object.assign(s, { sight, page });
    // A game that has begun stays in view until the person leaves it, whatever is opened here
    // later.
    s.game = s.sight && s.page && s.sight.phase !== "lobby" ? s.page.slice("/g/".length) : "";
    if (s.id === store.current) draw(s);
    if (before !== standing(s)) emit("stream", s); // posts fold or unfold, and change their buttons
    if (waited && s.sight?.own?.turn) tick();
    if (s.sight && (s.sight.own || (s.sight.phase === "over" && s.sight.seat !== undefined))) seated(s.sight);
    emit("side");
    if (s.sight?.phase === "over") rack.none(s);
    else if (!s.sight?.own) rack.ask(s);
    await lookForNewer(s);
  } catch {
    // The next greeting will ask again.
  } finally {
    if (!s.looked) emit("stream", Object.assign(s, { looked: true }));
    if (s.id === store.current) talk.classList.remove("awaits");
  }
}

/** standing returns a key of the state that posts depend on: the table, whether it is on the board, and whether the person sits there. @param {Stream} s */
const standing = (s) => [s.sight?.table, onBoard(s), s.sight?.seat].join();

/** lookForNewer offers a newer table if the game in view is over, or switches to it if the person asked for it and plays there. @param {Stream} s */
async function lookForNewer(s) {
  const over = s.sight?.phase === "over" ? s.sight.table : 0;
  if (!over || s.kind === "game") return newer.replaceChildren();
  const { sight } = await call("table", { stream: s.id }, { tries: 1 });
  if (s.id !== store.current || s.sight?.table !== over) return;
  if (!sight || sight.table === over || sight.phase === "over") return newer.replaceChildren();
  if (sight.own && sight.phase !== "lobby" && s.wants) {
    s.game = "";
    return ask(s);
  }
  /** @type {string[]} */
  const names = sight.players.map((/** @type {{ name: string }} */ p) => p.name), met = s.sight?.players.map((p) => p.name) ?? [];
  const again = sight.phase === "lobby" && !names.includes(store.me.name) && names.length === 1 && s.sight?.seat !== undefined && met.includes(names[0]);
  const news = again ? say("{name} wants a rematch.", { name: names[0] }) : say("There's another table here now: {names}", { names: names.join(", ") });
  if (again && newer.firstChild?.textContent !== news) tell(news); // a phone's board covers the line
  newer.replaceChildren(el("span", {}, news), " ",
    el("button", { type: "button", class: "button small", onclick: () => {
      s.game = "";
      newer.replaceChildren();
      ask(s);
    } }, say("Look")));
}

/** hide hides the table. */
export function hide() {
  root.hidden = strip.hidden = $("new-game").hidden = true;
  talk.classList.remove("awaits");
}

/** @param {Stream} s */
function draw(s) {
  const shown = onBoard(s), had = root.contains(document.activeElement);
  root.hidden = !shown;
  if (had && !shown) $("scroll").focus({ preventScroll: true }); // for instance before a rematch, until the other has agreed
  talk.classList.toggle("gaming", shown);
  $("new-game").hidden = s.kind === "host" || shown || (s.sight !== undefined && s.sight.phase !== "over"); // a board has its own button
  talk.classList.toggle("seated", Boolean(shown && s.sight?.own));
  strip.hidden = !shown;
  if (!shown || !s.sight) return;
  if (s.page) stands(s.page);
  ended(s);
  if (review?.looks()) return; // the review's plays are on the board
  $("watching").hidden = Boolean(s.sight.own) || s.sight.phase === "over" || s.kind === "direct";
  board.show(s.sight);
}

// ---- after the end

/** @type {ReturnType<typeof import("./review.js").reviews> | undefined} */
let review; // undefined until a game has ended

/** @type {Promise<NonNullable<typeof review>> | undefined} */
let loading;

/** loadReview loads the script of the review, which a game under way doesn't need. */
const loadReview = () => (loading ??= import("./review.js").then(({ reviews }) => (review = reviews($("judged"), {
  board: () => board,
  sight: () => stream(store.current).sight,
  ask: () => askAt(stream(store.current).page + "/review", {}),
  attempt: (play) => askAt(stream(store.current).page + "/try", play, { tries: 1 }),
  tell: (text) => ($("after-said").textContent = text),
  begin: () => talk.classList.add("reviewing"),
  end: () => talk.classList.remove("reviewing"),
  trying(is) {
    talk.classList.toggle("trying", is);
    chat(!is, { focus: false });
  },
}))));

let over = 0; // the table whose end is in view
const newer = el("p", { class: "quiet", role: "status" });
$("after").append(newer);

/** ended shows what a finished game offers, and reviews it at once for its players. @param {Stream} s */
function ended(s) {
  const is = s.sight?.phase === "over" && s.page ? s.sight.table : 0;
  $("after").hidden = !is;
  if (is === over) return;
  over = is;
  review?.leave();
  talk.classList.remove("reviewing");
  $("after-said").textContent = "";
  if (!is) return;
  if (s.sight?.seat !== undefined) loadReview().then((r) => (over === is ? r.make({ quiet: true }) : undefined), () => {});
}

/** showReview shows the review on the board, beginning at the person's worst mistake. */
async function showReview() {
  talk.classList.add("reviewing");
  chat(true, { focus: false });
  const r = await loadReview();
  r.first();
  await r.make();
}

// ---- the conversation on a phone

const strip = $("strip");
let unheard = 0; // lines received while the conversation was closed
let fading = 0;

/** chat opens or closes the conversation. @param {boolean} open @param {{ focus?: boolean }} [how] */
function chat(open, { focus = true } = {}) {
  if (open === talk.classList.contains("chatting")) return;
  talk.classList.toggle("chatting", open);
  $("chat-open").setAttribute("aria-expanded", String(open));
  unheard = 0;
  tell("");
  if (open) toLatest();
  if (focus) (open ? $("chat-close") : $("chat-open")).focus();
}

/** tell shows a line below the board for some seconds: a message, or an answer with its buttons. @param {string} line @param {Reply} [reply] */
function tell(line, reply) {
  clearTimeout(fading);
  const { buttons } = reply ?? {};
  strip.className = "strip" + (reply ? " private" : "") + (reply?.refused ? " refused" : "");
  strip.replaceChildren(line ? el("span", {}, el("bdi", {}, line)) : "", ...(reply ? (buttons ?? []).filter((b) => b.id && !b.link).slice(0, 2).map((b) => {
    const node = el("button", { type: "button", class: "button small " + (b.style ?? ""), onclick: () => {
      pressOf(reply, b, node);
      tell("");
    } }, b.label);
    return node;
  }) : []));
  if (unheard) $("chat-open").dataset.n = String(unheard);
  else delete $("chat-open").dataset.n;
  $("chat-open").setAttribute("aria-label", unheard ? say("{n, plural, one {Conversation, # new line} other {Conversation, # new lines}}", { n: unheard }) : say("Conversation"));
  // Keep the line while one of its buttons has the focus.
  const fade = () => (strip.contains(document.activeElement) ? (fading = setTimeout(fade, 5000)) : tell(""));
  if (line) fading = setTimeout(fade, reply ? 15000 : 7000);
}

// ---- what one does

/** @param {Act} request */
function act(request) {
  const play = { ...request, stream: store.current, id: newID() };
  outbox.push(play);
  kept.set("plays", outbox);
  return deliver(play);
}

/** @param {Play} play */
async function deliver(play) {
  const s = stream(play.stream);
  try {
    const { reply } = await call("act", { ...play, ...here() }, { tries: Infinity });
    // A submission is on the board, and needs no picture over it.
    if (!reply.refused && !reply.rack && play.command !== "submit" && (reply.buttons || reply.picture || asks.includes(play.command))) {
      addAnswer(s, reply, "");
      emit("stream", s);
      attend(reply);
    }
    return reply;
  } finally {
    outbox = outbox.filter((other) => other.id !== play.id);
    kept.set("plays", outbox);
    await ask(s);
  }
}

/** @param {{ word: string, at: string, table?: number }} play */
const draft = (play) => call("draft", { ...play, stream: store.current }, { tries: 1 });

/** @param {string} id */
async function press(id) {
  const s = stream(store.current);
  s.wants = true;
  try {
    const { reply } = await call("press", { stream: s.id, id: newID(), button: id, ...here() }, { tries: Infinity });
    addAnswer(s, reply, "");
    emit("stream", s);
    attend(reply);
  } catch (e) {
    addAnswer(s, refusal(e), "");
    emit("stream", s);
  }
  ask(s);
}

/** attend focuses an answer's first button, if it has one. @param {Reply} reply */
function attend(reply) {
  if (!reply.buttons?.some((b) => b.id && !b.link)) return;
  const box = strip.checkVisibility() && strip.querySelector("button") ? strip : [...document.querySelectorAll("#messages .answer")].at(-1);
  /** @type {HTMLElement | null | undefined} */ (box?.querySelector("button.button"))?.focus();
}
