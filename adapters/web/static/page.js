// The page of a game: its board to play on or to watch, and after the end its
// review, with the plays on the board.

import { $, el, announce, isolate } from "./dom.js";
import { after } from "./play.js";
import { say, parts, tenths, translate } from "./say.js";
import { plain, refusal } from "./api.js";
import { open } from "./table.js";
import { give } from "./give.js";
import "./settings.js";

const { base } = document.body.dataset;
/** @type {Sight | null} */
let sight = null; // the table as it stands
/** @type {Review[]} */
let turns = []; // its review, as far as it is made

const table = open(base + "/", $("board"), {
  sight: shown,
  said: (reply) => tell(reply?.text ? plain(reply) : "", reply?.refused),
  share: () => give(location.origin + location.pathname),
  lost: (e) => tell(e.message || say("This page is gone."), true),
});

/** @param {string} text @param {boolean} [refused] */
function tell(text, refused = false) {
  $("page-said").textContent = text;
  $("page-said").classList.toggle("bad", refused);
  if (text) announce(text);
}

// ---- who am I

// A link that was given to one person has their pass behind "#": no server and no
// site that looks for a preview gets to see it. It is used here, once.
async function enter() {
  const pass = new URLSearchParams(location.hash.slice(1)).get("pass");
  if (!pass) return;
  history.replaceState(null, "", location.pathname);
  try {
    await table.call("enter", { pass });
  } catch (e) {
    tell(plain(refusal(e)), true);
  }
}

/** @param {Sight | null} next */
function shown(next) {
  if (!next) return;
  sight = next;
  const turn = Boolean(sight.own?.turn);
  const names = sight.players.map((p) => p.name).join(" – ");
  $("page-title").textContent = names;
  document.title = (turn ? `● ${say("Your move")} · ` : "") + names;
  badge(turn);
  $("after").hidden = sight.phase !== "over";
}

/** @param {boolean} on */
function badge(on) {
  if (on) navigator.setAppBadge?.(1).catch(() => {});
  else navigator.clearAppBadge?.().catch(() => {});
}

$("share").addEventListener("click", async () => {
  try {
    await navigator.clipboard.writeText(location.origin + base);
    tell(say("The link is copied. Anybody who has it can watch this game."));
  } catch {
    tell(location.origin + base);
  }
});

// ---- the review

$("review").addEventListener("click", async () => {
  $("review").setAttribute("aria-busy", "true");
  tell(say("Judging the moves…"));
  try {
    for (let moves = 1; turns.length < moves; ) {
      if (turns.length) await new Promise((done) => setTimeout(done, 700));
      ({ turns, moves } = await table.call("review"));
      tell(turns.length < moves ? say("Judging the moves: {n} of {all}.", { n: turns.length, all: moves }) : "");
      if (turns.length) drawReview();
    }
  } catch (e) {
    tell(plain(refusal(e)), true);
  }
  $("review").removeAttribute("aria-busy");
});

let at = -1; // the turn that is looked at, and which of its plays
let choice = -1; // -1: the one that was made

function drawReview() {
  if (!sight) return;
  const box = $("judged"), { players } = sight;
  box.hidden = false;
  $("review").hidden = true;
  const lost = (/** @type {Review} */ t) => (t.chance ? `−${t.chance}` : t.loss < 0.05 ? say("best") : `${t.sure ? t.sure + " " : ""}−${Number.isInteger(t.loss) ? t.loss : tenths(t.loss)}`);
  const rows = turns.map((t, i) => el("li", {}, el("button", { type: "button", class: "turn", "aria-current": i === at ? "step" : null, onclick: () => look(i, -1) },
    el("span", { class: "number" }, String(t.turn)), el("bdi", { class: "by" }, players[t.seat]?.name ?? ""), el("span", { class: "what" }, ...isolate(t.made.text)), el("span", { class: "points" }, `+${t.made.points}`), el("span", { class: t.loss < 0.05 && !t.chance ? "loss good" : "loss" }, lost(t)))));
  const one = turns[at];
  const plays = !one ? [] : [
    el("p", {}, ...parts("{name} had {rack}.", { name: el("bdi", {}, players[one.seat]?.name ?? ""), rack: el("b", {}, one.rack.join(" ")) }), one.remark ? ` ${one.remark}.` : ""),
    el("ol", { class: "choices", "aria-label": say("The best moves") }, ...[one.made, ...one.best].map((w, i) => el("li", {}, el("button", { type: "button", class: "turn", "aria-current": i - 1 === choice ? "step" : null, onclick: () => look(at, i - 1) },
      el("span", { class: "number" }, i ? String(i) : "▸"), el("span", { class: "what" }, ...isolate(w.text)), el("span", { class: "points" }, String(w.points)), el("span", { class: "loss" }, w.chance ?? tenths(w.equity)))))),
    el("div", { class: "after-buttons" },
      el("button", { type: "button", class: "button small", "aria-disabled": at === 0 ? "true" : null, onclick: () => at > 0 && look(at - 1, -1) }, say("Previous move")),
      el("button", { type: "button", class: "button small", "aria-disabled": at === turns.length - 1 ? "true" : null, onclick: () => at < turns.length - 1 && look(at + 1, -1) }, say("Next move")),
      el("button", { type: "button", class: "button small", onclick: done }, say("Back to the end"))),
  ];
  const focused = [...box.querySelectorAll("button")].findIndex((b) => b === document.activeElement);
  box.replaceChildren(el("div", { class: "judged-one" }, ...plays), el("h2", {}, say("What each move cost")), el("ol", { class: "moves judged" }, ...rows));
  [...box.querySelectorAll("button")][focused]?.focus({ preventScroll: true });
  box.querySelector(".judged [aria-current]")?.scrollIntoView({ block: "nearest" });
}

/** look lays a play of a turn on the board as it was before it. @param {number} turn @param {number} which */
function look(turn, which) {
  if (!sight) return;
  [at, choice] = [turn, which];
  const t = turns[turn], w = which < 0 ? t.made : t.best[which];
  const n = sight.turns.findIndex((one) => one.number === t.turn);
  const lies = [...after(sight, Math.max(0, n))];
  (w.squares ?? []).forEach((square, i) => (lies[square] = w.tiles[i]));
  const caption = which < 0 ? say("Played: {play} for {points}", { play: w.text, points: w.points }) : which === 0 ? say("Best: {play} for {points}", { play: w.text, points: w.points }) : say("Choice {n}: {play} for {points}", { n: which + 1, play: w.text, points: w.points });
  shownNumber += 1;
  table.board.show({ ...sight, own: undefined, number: sight.number + shownNumber, board: lies, fresh: w.squares ?? [], gone: [], turns: [], caption, buttons: [] });
  announce(caption);
  drawReview();
}

let shownNumber = 0; // the board takes no older table for a newer one

function done() {
  if (!sight) return;
  [at, choice] = [-1, -1];
  shownNumber += 1;
  table.board.show({ ...sight, number: sight.number + shownNumber });
  drawReview();
}

translate(document.body);
if (location.hash === "#fair") $("fair").open = true;
enter().then(() => table.start());
