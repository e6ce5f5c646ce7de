// The home page: playing now, and the person's games, games to join and games to watch.

import { $, el, find, announce, timeLeft, isolate } from "./dom.js";
import { say, tongue } from "./say.js";
import { call, newID, plain, refusal } from "./api.js";
import { store, on, emit, stream, title } from "./store.js";
import { go, where } from "./nav.js";
import { invitation } from "./invitation.js";
import { here } from "./settings.js";
import { playRobot, wait as waitFor } from "./new.js";
import { choose, chosen, levels, ofTime } from "./choice.js";

const root = $("home");
const shows = () => !root.hidden;
let waiting = false;
/** @type {Seek[]} */
let seeks = [];
/** @type {{ open: GameInfo[], running: GameInfo[] }} */
let lists = { open: [], running: [] };

const said = el("p", { class: "quiet", role: "status" });
const link = el("div", { class: "invitation", hidden: "" });
const level = el("select", { "aria-label": say("How strong the robot is") });
const foreign = el("p", { class: "quiet", hidden: true });
const waits = el("button", { type: "button", class: "button" });
const mine = el("section", { "aria-labelledby": "home-mine" });
const open = el("section", { "aria-labelledby": "home-open" });
const running = el("section", { "aria-labelledby": "home-running" });

export function start() {
  level.append(...levels().map((c) => el("option", { value: c.value, selected: c.value === chosen().level }, c.label)));
  level.addEventListener("change", () => choose({ level: level.value }));
  waits.addEventListener("click", wait);
  root.append(
    el("section", { class: "play-now", "aria-labelledby": "home-now" },
      el("h2", { id: "home-now" }, say("Play now")),
      el("div", { class: "ways" },
        el("div", { class: "way" }, el("button", { type: "button", class: "button primary", onclick: async () => tell(await playRobot()) }, say("Play a robot")), level),
        el("div", { class: "way" }, el("button", { type: "button", class: "button", onclick: invite }, say("Invite a friend"))),
        el("div", { class: "way" }, waits),
        el("div", { class: "way" }, el("a", { class: "button", href: "/d" }, say("Today's board")))),
      el("p", { class: "quiet" }, say("A robot waits as long as you like. Against anybody who wants to play now you have 15 minutes each.")),
      foreign, said, link),
    mine, open, running,
    el("nav", { class: "places", "aria-label": say("Pages") }, ...[["/live", say("Live")], ["/top", say("Players")], ["/analyse", say("Analyse")]].map(([href, name]) => el("a", { href }, name))));
  on("greeted", refresh);
  if (tongue !== "en") call("new", {}, { tries: 1 }).then(({ languages }) => strange(languages.map((/** @type {{ value: string }} */ l) => l.value)), () => {});
  on("waits", (/** @type {boolean} */ is) => (waiting = is));
  on("table", soon);
  on("side", () => shows() && drawLists()); // players' names may have changed
  setInterval(() => shows() && document.visibilityState === "visible" && refresh(), 20000);
}

/** strange shows a note if no game is in the reader's language. @param {string[]} codes the languages of the word lists */
function strange(codes) {
  if (!codes.includes("en") || codes.some((code) => code === tongue.split("-")[0])) return;
  foreign.textContent = say("There's no word list for your language here, so games are in {language} unless you choose another.", { language: new Intl.DisplayNames(tongue, { type: "language" }).of("en") ?? "English" });
  foreign.hidden = false;
}

/** show shows the home page. */
export function show() {
  store.current = "";
  root.hidden = false;
  find(".talk").classList.remove("gaming", "seated", "chatting");
  find(".talk").classList.add("homing");
  $("title").textContent = say("Home");
  $("subtitle").textContent = "";
  $("faces").replaceChildren();
  draw();
  refresh();
}

export function hide() {
  root.hidden = true;
  find(".talk").classList.remove("homing");
}

let later = 0;
function soon() {
  clearTimeout(later);
  later = setTimeout(refresh, 800);
}

async function refresh() {
  try {
    const got = await call("games", { all: shows() }, { tries: 1 });
    ({ waiting, seeks } = got);
    store.mine = got.mine;
    if (shows()) lists = got;
    emit("side");
    if (shows()) draw();
  } catch {
    // The next refresh will ask again.
  }
}

// ---- to play now

async function invite() {
  link.replaceChildren(await invitation({}));
  link.hidden = false;
}

async function wait() {
  waits.setAttribute("aria-busy", "true");
  const off = waiting, why = await waitFor(off ? { off } : seeks.length ? { with: seeks[0].id } : { options: ofTime("15m") });
  waits.removeAttribute("aria-busy");
  tell(why || (waiting ? say("You play as soon as somebody else wants to: 15 minutes each. Until then you can do what you like here.") : ""));
  draw();
}

/** paired opens the game of two people who have been paired, unless the person is doing something else. @param {{ stream: string }} met */
export function paired({ stream }) {
  waiting = false;
  if (shows()) go("/#" + stream);
  else soon();
  announce(say("Somebody has come to play with you."));
}

/** @param {string} text */
function tell(text) {
  said.textContent = text;
}

// ---- the lists

function draw() {
  waits.textContent = waiting ? say("Stop waiting") : seeks.length ? say("{n, plural, one {Play somebody who waits} other {Play one of # who wait}}", { n: seeks.length }) : say("Play anybody");
  waits.classList.toggle("waits", waiting);
  drawLists();
}

function drawLists() {
  list(mine, "home-mine", say("Your games"), store.mine, (g) => el("a", { class: "button small" + (g.turn ? " primary" : ""), href: g.page }, g.turn ? say("Your move") : say("Look")));
  list(open, "home-open", say("Tables to join"), lists.open, (g) => g.mine ? el("a", { class: "button small", href: "/#" + g.stream }, say("Look")) : el("button", { type: "button", class: "button small primary", onclick: () => join(g) }, say("Join")));
  list(running, "home-running", say("Games to watch"), lists.running, (g) => el("a", { class: "button small", href: g.page }, say("Watch")));
}

/** @param {HTMLElement} box @param {string} id @param {string} title @param {GameInfo[]} all @param {(g: GameInfo) => HTMLElement} act */
function list(box, id, title, all, act) {
  const sign = JSON.stringify(all);
  box.hidden = !all.length;
  if (box.dataset.sign === sign) return;
  box.dataset.sign = sign;
  const focused = [...box.querySelectorAll("a, button")].findIndex((n) => n === document.activeElement);
  box.replaceChildren(el("h2", { id }, title), el("ul", { class: "games" }, ...all.map((g) => el("li", { class: g.turn ? "turn" : "" },
    el("div", {}, el("p", { class: "who" }, ...names(g)), el("p", { class: "quiet" }, about(g))), act(g)))));
  /** @type {HTMLElement | undefined} */ ([...box.querySelectorAll("a, button")][focused])?.focus();
}

/** @param {GameInfo} g */
function names(g) {
  const all = g.players.filter((p) => !p.own || g.players.length === 1);
  return all.flatMap((p, i) => [i ? ", " : "", el("bdi", {}, p.name)]);
}

/** @param {GameInfo} g */
function about(g) {
  const at = stream(g.stream), place = at.kind === "channel" ? title(at) : "";
  const scores = g.phase === "lobby" ? say("{n} of {all} seats are taken", { n: g.players.length, all: g.seats }) : g.players.map((p) => p.score).join(" : ");
  return [place, scores, g.until && g.phase === "playing" ? timeLeft(g.until - Date.now()) : ""].filter(Boolean).flatMap((x) => isolate(String(x))).join(" · ");
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

/** isHome reports whether the address is the home page's. */
export const isHome = () => {
  const { id, game } = where();
  return !id && !game;
};
