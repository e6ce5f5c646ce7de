// The list of conversations, which is a drawer on a phone, and the people present.

import { $, el, icon, tile, hostTile, roves, find } from "./dom.js";
import { attempt } from "./kept.js";
import { say } from "./say.js";
import { call } from "./api.js";
import { go } from "./nav.js";
import { about } from "./more.js";
import { withoutKind } from "./mini.js";
import { store, on, stream, title } from "./store.js";

export function start() {
  $("side-open").append(icon("menu"));
  $("side-close").append(icon("close"));
  $("add-channel").append(icon("plus"));
  find(".brand").append(hostTile());
  $("side-open").addEventListener("click", () => drawer(true));
  $("side-close").addEventListener("click", () => drawer(false));
  $("shade").addEventListener("click", () => drawer(false));
  addEventListener("keydown", (e) => {
    if (e.key === "Escape") drawer(false);
    if (e.altKey && (e.key === "ArrowDown" || e.key === "ArrowUp")) {
      e.preventDefault();
      step(e.key === "ArrowDown" ? 1 : -1);
    }
  });
  $("find-people").addEventListener("input", draw);
  const lists = ["channels", "directs", "people"].map((id) => roves($(id), ".line, .more", (all) => all.find((n) => n.getAttribute("aria-current")) ?? all[0]));
  setTimeout(look, 1500); // not before the page is drawn
  setInterval(look, often);
  on("side", () => {
    draw();
    for (const changed of lists) changed();
  });
}

/** drawer opens or closes the list on a phone. @param {boolean} open */
export function drawer(open) {
  const was = $("side").classList.contains("open");
  if (open === was) return;
  $("side").classList.toggle("open", open);
  $("shade").hidden = !open;
  $("side-open").setAttribute("aria-expanded", String(open));
  find(".talk").inert = open;
  (open ? $("side-close") : $("side-open")).focus();
}

/** @param {Stream} a @param {Stream} b */
const order = (a, b) => Number(b.id === "general") - Number(a.id === "general") || title(a).localeCompare(title(b));

function listed() {
  const all = [...store.streams.values()].filter((s) => s.listed || s.id === store.current);
  return {
    channels: all.filter((s) => s.kind === "channel").sort(order),
    // A finished game is listed while it is in view or has unread messages.
    games: all.filter((s) => s.kind === "game" && (s.id === store.current || s.unread) && !store.mine.some((g) => g.stream === s.id)).sort(order),
    directs: [...all.filter((s) => s.kind === "host"), ...all.filter((s) => s.kind === "direct").sort(order)],
  };
}

/** @param {number} by */
function step(by) {
  const { channels, directs } = listed();
  const all = [...channels, ...directs];
  const i = all.findIndex((s) => s.id === store.current);
  go("/#" + all[(i + by + all.length) % all.length].id);
}

const manyPeople = 8; // from this number on, people are found by a part of their names

/** The people who play, and who wait for an opponent. @type {{ plays: string[], waits: string[] }} */
let doing = { plays: [], waits: [] };
const often = 60000; // milliseconds between two requests

/** look asks what the people here do, while the page is visible. */
async function look() {
  if (!store.me.id || document.visibilityState !== "visible") return;
  const { plays = [], waits = [] } = await call("doing", {}, { tries: 1 }).catch(() => doing);
  doing = { plays, waits };
  draw();
}

/** score tells games against the same people apart: the person's own points come first. @param {GameInfo} g */
const score = (g) => [...g.players].sort((a, b) => Number(Boolean(b.own)) - Number(Boolean(a.own))).map((p) => p.score).join(" : ");

function draw() {
  if (!store.me.id) return;
  const { channels, directs, games } = listed();
  $("channels").replaceChildren(...channels.map((s) => line(s, el("span", { class: "hash", "aria-hidden": "true" }, "#"), s.name || s.id)));
  $("directs").replaceChildren(...directs.map((s) => {
    const p = store.people.get(s.with);
    const face = s.kind === "host" ? hostTile() : tile(title(s), s.with);
    if (s.kind === "host" || p?.here) face.classList.add("here");
    return line(s, face, title(s), s.kind === "direct" && (p?.here ? say("here now") : say("away")));
  }));
  const here = [...store.people.values()].filter((p) => p.here && p.id !== store.me.id).sort((a, b) => Number(doing.waits.includes(b.id)) - Number(doing.waits.includes(a.id)) || a.name.localeCompare(b.name));
  $("find-people").hidden = here.length < manyPeople;
  const sought = $("find-people").hidden ? "" : $("find-people").value.trim().toLocaleLowerCase();
  $("people").replaceChildren(...here.filter((p) => p.name.toLocaleLowerCase().includes(sought)).map((p) => {
    const face = tile(p.name, p.id);
    face.classList.add("here");
    return el("li", {}, el("button", { type: "button", class: "line", title: say("Write to {name}", { name: p.name }), onclick: () => direct(p.id) }, face, el("span", { class: "line-name" }, el("bdi", {}, p.name)), doing.waits.includes(p.id) ? el("span", { class: "doing waits" }, say("waits")) : doing.plays.includes(p.id) && el("span", { class: "doing" }, say("plays"))), about(p));
  }));
  if (!here.length) $("people").append(el("li", { class: "nobody" }, say("Only you, so far.")));
  const face = tile(store.me.name, store.me.id);
  face.classList.add("here");
  $("me").replaceChildren(face, el("span", { class: "line-name" }, el("bdi", {}, store.me.name), el("span", { class: "quiet" }, say("Settings"))));

  const all = [...channels, ...directs, ...games];
  const calls = all.reduce((n, s) => n + urgent(s), 0);
  const current = store.current ? stream(store.current) : undefined;
  const turn = current ? current.sight?.own?.turn : store.mine.some((g) => g.turn);
  // A game in the conversation with the host is called by its other players.
  const called = current?.kind !== "host" ? current && title(current) : (current.sight?.players ?? []).filter((p) => p.name !== store.me.name).map((p) => withoutKind(p.name)).join(", ");
  document.title = `${calls ? `(${calls}) ` : ""}${turn ? say("Your turn") + " · " : ""}${called ? called + " · " : ""}Rackmate`;
  $("to-home").toggleAttribute("aria-current", !current);
  if (!current) $("to-home").setAttribute("aria-current", "page");
  $("own-games").replaceChildren(...store.mine.slice(0, 8).map((g) => el("li", {}, el("a", { href: g.page, class: "line" + (g.turn ? " unread" : ""), "aria-current": current?.page === g.page ? "page" : null, onclick: () => drawer(false) },
    el("span", { class: "hash", "aria-hidden": "true" }, g.turn ? "▸" : "·"), el("span", { class: "line-name" }, el("bdi", {}, g.players.filter((p) => !p.own).map((p) => (p.robot ? withoutKind(p.name) : p.name)).join(", ")), (g.turn || g.phase === "lobby") && el("span", { class: "quiet" }, g.turn ? say("Your move") : say("You're invited"))), g.phase === "playing" && el("span", { class: "score" }, score(g))))), ...games.map((s) => line(s, el("span", { class: "hash", "aria-hidden": "true" }, "·"), title(s))));
  $("own-games-part").hidden = !store.mine.length && !games.length;
  attempt(() => (calls ? navigator.setAppBadge?.(calls) : navigator.clearAppBadge?.())?.catch(() => {}));
  const elsewhere = all.some((s) => s !== current && s.unread > 0);
  $("side-open").classList.toggle("news", elsewhere);
  $("side-open").setAttribute("aria-label", elsewhere ? say("Conversations, with unread messages") : say("Conversations"));
}

/** urgent returns the number of messages that notify the person. @param {Stream} s */
const urgent = (s) => (s.kind === "direct" ? s.unread : s.mentions);

/** @param {Stream} s @param {HTMLElement} face @param {string} name @param {string | false} [note] */
function line(s, face, name, note) {
  const current = s.id === store.current, game = current && store.mine.some((g) => g.page === s.page); // the game's own line is then the current one
  const n = urgent(s);
  return el("li", {}, el("a", {
    href: "/#" + s.id, class: "line" + (s.unread && !current ? " unread" : ""), "aria-current": current && !game ? "page" : null, onclick: () => drawer(false),
  }, face, el("span", { class: "line-name" }, el("bdi", {}, name), note && el("span", { class: "unseen" }, ", " + note)),
    !current && n > 0 && el("span", { class: "badge" }, el("span", { "aria-hidden": "true" }, String(n)), el("span", { class: "unseen" }, say("{n, plural, one {# message for you} other {# messages for you}}", { n }))),
    !current && n === 0 && s.unread > 0 && el("span", { class: "unseen" }, ", " + say("unread messages"))));
}

/** @param {string} id */
export async function direct(id) {
  try {
    const info = await call("direct", { person: id });
    Object.assign(stream(info.id), { listed: true });
    go("/#" + info.id);
  } catch {
    // They have just left; the list will show it in a moment.
  }
  drawer(false);
}
