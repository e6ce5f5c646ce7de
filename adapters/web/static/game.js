// The table of the conversation that one looks at, on a board to play on:
// beside the messages on a wide screen, above them on a phone.

import { $, find, icon, announce, shortens } from "./dom.js";
import { kept } from "./kept.js";
import { say } from "./say.js";
import { call, newID, refusal } from "./api.js";
import { store, on, emit, stream } from "./store.js";
import { addAnswer, onBoard } from "./stream.js";
import { mount } from "./board.js";
import { settings, here, tick } from "./settings.js";
import * as rack from "./rack.js";
import { seated } from "./callback.js";

const root = $("game");
const talk = find(".talk");
const fold = $("game-fold");
/** @type {Board} */
let board;
let asked = 0; // counts what was asked, so that late answers are dropped

// What was played and has no answer yet. It is kept with the tab, so that it is
// sent once, under one id, whatever becomes of the connection or the page.
/** @type {Play[]} */
let outbox = kept.get("plays", []);

export function start() {
  board = mount($("board"), { act, draft, press, say: announce, settings, sound: tick });
  on("table", ask);
  on("greeted", () => store.current && ask(stream(store.current)));
  fold.append(icon("chevron"));
  fold.addEventListener("click", () => folded(!root.classList.contains("folded")));
  shortens($("board"), board);
  for (const play of outbox) deliver(play).catch(() => {});
}

/** show turns to a stream's table. @param {Stream} s */
export function show(s) {
  draw(s);
  ask(s);
}

/** ask asks how the table stands in a stream, if it is the one in view. @param {Stream} s */
async function ask(s) {
  if (s.id !== store.current) return;
  const question = ++asked;
  try {
    const { sight } = await call("table", { stream: s.id });
    if (question !== asked && s.id !== store.current) return;
    const before = onBoard(s), waited = s.sight && !s.sight.own?.turn;
    if (!s.sight || !sight || sight.table !== s.sight.table || sight.number >= s.sight.number) s.sight = sight;
    if (s.id === store.current) draw(s);
    if (before !== onBoard(s)) emit("stream", s); // posts fold, or unfold
    if (waited && s.sight?.own?.turn) tick();
    if (s.sight && (s.sight.own || (s.sight.phase === "over" && s.wasSeated))) seated(s.sight);
    s.wasSeated ||= Boolean(s.sight?.own);
    emit("side");
    if (!s.sight?.own) rack.ask(s);
  } catch {
    // The next greeting asks again.
  }
}

/** @param {Stream} s */
function draw(s) {
  const shown = onBoard(s);
  root.hidden = !shown;
  talk.classList.toggle("gaming", shown);
  $("new-game").hidden = s.kind === "host" || (s.sight !== undefined && s.sight.phase !== "over");
  talk.classList.toggle("seated", Boolean(shown && s.sight?.own));
  if (!shown || !s.sight) return;
  folded(kept.getLong("board folded", false), { keep: false });
  board.show(s.sight);
}

/** @param {boolean} is @param {{ keep?: boolean }} [how] */
function folded(is, { keep = true } = {}) {
  root.classList.toggle("folded", is);
  fold.setAttribute("aria-expanded", String(!is));
  fold.title = is ? say("Show board") : say("Hide board");
  fold.setAttribute("aria-label", fold.title);
  if (keep) kept.setLong("board folded", is);
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
    // What was submitted is on the board, and needs no picture over it.
    if (!reply.refused && !reply.rack && play.command !== "submit" && (reply.buttons || reply.picture)) {
      addAnswer(s, reply, "");
      emit("stream", s);
    }
    return reply;
  } finally {
    outbox = outbox.filter((other) => other.id !== play.id);
    kept.set("plays", outbox);
    await ask(s);
  }
}

/** @param {{ word: string, at: string }} play */
const draft = (play) => call("draft", { ...play, stream: store.current }, { tries: 1 });

/** @param {string} id */
async function press(id) {
  const s = stream(store.current);
  try {
    const { reply } = await call("press", { stream: s.id, id: newID(), button: id, ...here() }, { tries: Infinity });
    addAnswer(s, reply, "");
  } catch (e) {
    addAnswer(s, refusal(e), "");
  }
  emit("stream", s);
  ask(s);
}
