// The home page: today's board to play on, buttons that start a game, and small boards of the
// person's own and others' games.

import { $, changes, el, find, announce, timeLeft } from "./dom.js";
import { say, language } from "./say.js";
import { call, newID, plain, refusal } from "./api.js";
import { store, on, stream, title } from "./store.js";
import { go } from "./nav.js";
import { lists, refresh } from "./games.js";
import { here } from "./settings.js";
import { begin, wait } from "./begin.js";
import { open as openCard } from "./new.js";
import { choose, chosen, levels, optionsOf, segments, timeOf, times, timeTile, timeWords } from "./choice.js";
import { boardCard, mini } from "./mini.js";
import { today } from "./today.js";

const root = $("home");
const shows = () => !root.hidden;

const said = el("p", { class: "play-said", role: "status" });
const link = el("div");
const foreign = el("p", { class: "quiet", hidden: true });
const withWhom = el("div", { class: "segments who", role: "radiogroup", "aria-label": say("Who do you play?") });
const level = el("select", { class: "with-level", "aria-label": say("Strength"), onchange: (/** @type {Event} */ e) => choose({ level: /** @type {HTMLSelectElement} */ (e.target).value }) });
const row = el("div", { class: "times", role: "group", "aria-labelledby": "home-now" });
const waits = el("ul", { class: "waits" });
const events = el("div", { class: "events" });
const daily = el("section", { class: "card today", "aria-labelledby": "home-today" });
const now = el("section", { class: "card play-now", "aria-labelledby": "home-now" });
const mine = el("section", { class: "own-boards", "aria-labelledby": "home-mine", hidden: true });
const others = el("section", { class: "others-boards", "aria-labelledby": "home-live" });

export function start() {
  now.append(el("h2", { id: "home-now", class: "h-l3" }, say("Play now")), withWhom, level, row, said, link, waits, foreign,
    el("button", { type: "button", class: "link more-choices", onclick: openCard }, say("More choices…")));
  level.append(...levels().map((l) => el("option", { value: l.value }, l.label)));
  row.append(...times.map((time) => el("button", { type: "button", class: "segment time", "aria-label": timeTile(time).join(" ") + ": " + timeWords(time), onclick: () => play(time) }, timeFace(time))));
  root.append(el("div", { class: "home-rest" }, now, mine, others, el("nav", { class: "places", "aria-label": say("Pages") }, el("a", { href: "/live" }, say("Live")), events, el("a", { href: "/top" }, say("Players")), el("a", { href: "/analyse" }, say("Analyse")))));
  others.append(el("h2", { id: "home-live", class: "h-w2" }, say("Live")), el("div", { class: "boards" }, ...[1, 2, 3].map(() => el("span", { class: "board-card", "aria-hidden": "true" }, el("span", { class: "mini" })))));
  drawNow();
  on("games", () => shows() && drawNow());
  if (language !== "en") call("new", {}, { tries: 1 }).then(({ languages }) => strange(languages.map((/** @type {{ value: string }} */ l) => l.value)), () => {});
  on("waits", (/** @type {boolean} */ is) => {
    drawNow();
    if (is) announce(say("You play as soon as somebody wants the same game. Until then you can do what you like here."));
  });
  on("side", () => shows() && drawLists()); // players' names may have changed
}

/** timeFace draws a time as a tile. @param {string} time */
function timeFace(time) {
  const [large, unit] = timeTile(time);
  return el("span", {}, large, " ", el("small", {}, unit));
}

/** strange shows a note if no game is in the reader's language. @param {string[]} codes the languages of the word lists */
function strange(codes) {
  if (!codes.includes("en") || codes.some((code) => code === language.split("-")[0])) return;
  foreign.textContent = say("There's no word list for your language here, so games are in {language} unless you choose another.", { language: new Intl.DisplayNames(language, { type: "language" }).of("en") ?? "English" });
  foreign.hidden = false;
}

/** show shows the home page. */
export function show() {
  store.current = "";
  root.prepend(daily);
  if (!daily.hasChildNodes()) today(daily);
  root.hidden = false;
  find(".talk").classList.remove("gaming", "seated", "chatting");
  find(".talk").classList.add("homing");
  $("title").textContent = say("Home");
  $("subtitle").textContent = "";
  $("faces").replaceChildren();
  drawNow();
  refresh();
}

export function hide() {
  root.hidden = true;
  daily.remove(); // one board at a time is in the document
  find(".talk").classList.remove("homing");
}

// ---- to play now

/** play begins a game with a time, against whom was chosen last. @param {string} time */
async function play(time) {
  const choice = choose({ time, rest: {} });
  tell("");
  link.replaceChildren();
  if (choice.who !== "friend") return tell(await begin(choice));
  const { invitation } = await import("./invitation.js");
  link.replaceChildren(await invitation(optionsOf(choice)));
}

/** tell shows why something wasn't possible. @param {string} text */
const tell = (text) => void (said.textContent = text);

/** drawNow draws the chosen opponent, the people who wait, and the games. */
function drawNow() {
  const { who, level: strength } = chosen();
  /** @type {[string, string][]} */
  const kinds = [["robot", say("A robot")], ["friend", say("A friend")], ["anybody", say("Anybody")]];
  if (changes(withWhom, [kinds, who])) {
    const focused = withWhom.contains(document.activeElement);
    withWhom.replaceChildren(...segments("with", kinds, who, (value) => {
      choose({ who: value });
      link.replaceChildren();
      drawNow();
    }));
    if (focused) /** @type {HTMLElement | null} */ (withWhom.querySelector("input:checked"))?.focus();
  }
  level.value = strength;
  level.hidden = who !== "robot";
  const lines = [
    lists.waiting && el("li", {}, el("span", {}, say("Waiting for an opponent")), el("button", { type: "button", class: "button small", onclick: async () => tell(await wait({ off: true })) }, say("Stop waiting"))),
    ...lists.seeks.map((s) => el("li", {}, el("span", {}, el("b", {}, el("bdi", {}, s.name)), " · ", timeWords(timeOf(s.options))), el("button", { type: "button", class: "button small primary", onclick: async () => tell(await wait({ with: s.id })) }, say("Play now")))),
    ...lists.open.map((g) => el("li", {}, el("span", {}, el("b", {}, ...names(g)), " · ", ...about(g)),
      g.mine ? el("a", { class: "button small", href: "/#" + g.stream }, say("Look")) : el("button", { type: "button", class: "button small primary", onclick: () => join(g) }, say("Join")))),
  ].filter((line) => line instanceof Node);
  if (changes(waits, lines.map((line) => line.textContent))) waits.replaceChildren(...lines);
  waits.hidden = !lines.length;
  drawLists();
}

/** @param {GameInfo} g */
async function join(g) {
  try {
    const { reply } = await call("act", { stream: g.stream, id: newID(), command: "join", args: {}, ...here() });
    if (reply.refused) return tell(plain(reply));
    go(g.page);
  } catch (e) {
    tell(plain(refusal(e)));
  }
}

// ---- the boards

function drawLists() {
  mine.hidden = !store.mine.length;
  boards(mine, "home-mine", say("Your games"), "h-tile", [...store.mine].sort((a, b) => Number(Boolean(b.turn)) - Number(Boolean(a.turn))),
    (g) => [g.turn ? el("b", { class: "your-move" }, say("Your move")) : g.phase === "lobby" ? say("You're invited") : say("Their move"), left(g) ? " · " + left(g) : ""]);
  if (changes(events, lists.events)) events.replaceChildren(...lists.events.map((e) => el("a", { href: e.page }, el("bdi", {}, e.name))));
  const { running, finished } = lists, all = [...running, ...finished];
  if (!shows()) return;
  if (all.length) boards(others, "home-live", running.length ? say("Live") : say("Best games of the week"), "h-w2", all, (g) => [g.phase === "over" ? say("Finished") : place(g)]);
  else if (lists.known) empty();
}

/** empty shows what the place for others' games is for. */
function empty() {
  if (!changes(others, "none")) return;
  const size = 15, board = Array(size * size).fill("");
  [..."RACKMATE"].forEach((letter, i) => (board[7 * size + 3 + i] = letter));
  [..."PL", "", ..."Y"].forEach((letter, i) => letter && (board[(5 + i) * size + 4] = letter));
  const squares = [...board.keys()].map((i) => {
    const r = Math.min(Math.floor(i / size), size - 1 - Math.floor(i / size)), c = Math.min(i % size, size - 1 - (i % size)), [a, b] = [Math.min(r, c), Math.max(r, c)];
    return a === 0 && b % 7 === 0 ? "T" : a === b && a > 0 && a < 5 ? "D" : (a === 1 && b === 5) || (a === 5 && b === 5) ? "t" : (a === 0 && b === 3) || (a === 2 && b === 6) || (a === 3 && b === 7) || (a === 6 && b === 6) ? "d" : ".";
  }).join("");
  others.replaceChildren(el("h2", { id: "home-live", class: "h-w2" }, say("Live")), el("div", { class: "boards empty" }, el("div", { class: "board-card" }, mini({ size, squares, board })),
    el("p", { class: "quiet" }, say("No public games right now. Games that others may watch appear here as small boards."))));
}

/** boards draws games under a heading. @param {HTMLElement} box @param {string} id @param {string} heading @param {string} square @param {GameInfo[]} all @param {(g: GameInfo) => (string | Node)[]} note */
function boards(box, id, heading, square, all, note) {
  const notes = all.map(note);
  if (!changes(box, [heading, all, notes.map((n) => n.map((x) => (x instanceof Node ? x.textContent : x)))])) return;
  const focused = /** @type {HTMLElement | null} */ (document.activeElement?.closest("a"))?.getAttribute("href"), had = box.contains(document.activeElement);
  box.replaceChildren(el("h2", { id, class: square }, heading), el("div", { class: "boards" }, ...all.map((g, i) => boardCard(g, notes[i]))));
  if (had && focused) /** @type {HTMLElement | null} */ (box.querySelector(`a[href="${focused}"]`))?.focus({ preventScroll: true });
}

/** @param {GameInfo} g */
function names(g) {
  const all = g.players.filter((p) => !p.own || g.players.length === 1);
  return all.flatMap((p, i) => [i ? ", " : "", el("bdi", {}, p.name)]);
}

/** place names the channel of a game. @param {GameInfo} g */
const place = (g) => (stream(g.stream).kind === "channel" ? title(stream(g.stream)) : left(g));

/** left returns the time left for the turn in words. @param {GameInfo} g */
const left = (g) => (g.until && g.phase === "playing" ? timeLeft(g.until - Date.now()) : "");

/** about describes a table that waits for players. @param {GameInfo} g */
const about = (g) => [stream(g.stream).kind === "channel" ? title(stream(g.stream)) + " · " : "", say("{n} of {all} seats are taken", { n: g.players.length, all: g.seats })];
