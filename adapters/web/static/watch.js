// The page of the games that are on: the one in which something happened last is shown in
// large, and follows by itself.

import { $, el } from "./dom.js";
import { say } from "./say.js";
import { ask } from "./api.js";
import { mount } from "./board.js";
import { settings, tick } from "./settings.js";

/** @typedef {{ page: string, number: number, caption: string, players: { name: string, score: number, toMove?: boolean }[] }} Live */

const pause = 2500; // between two looks, in milliseconds
let featured = "", looking = false, again = false;
/** @type {Map<string, number> | undefined} */
let known; // the number of events of each game, by its page

const board = mount($("board"), { act: async () => undefined, draft: async () => ({ score: 0 }), press: () => {}, say: () => {}, settings, sound: tick });

/** choose is the game to feature: where something happened, rather the one that is shown, else the first. @param {Live[]} games */
function choose(games) {
  const news = known ? games.filter((g) => known?.get(g.page) !== g.number) : [];
  const one = [...news, ...games].find((g) => g.page === featured && (!news.length || news.includes(g))) ?? news[0] ?? games[0];
  known = new Map(games.map((g) => [g.page, g.number]));
  return one?.page ?? "";
}

/** @param {Live[]} games */
function list(games) {
  const focused = document.activeElement?.getAttribute("href");
  $("games").replaceChildren(games.length ? el("ul", { class: "live-games" }, ...games.map((g) => el("li", { class: g.page === featured ? "shown" : "" },
    el("a", { href: g.page }, ...g.players.map((p) => el("span", { class: "live-player" }, p.toMove && "▸ ", el("bdi", {}, p.name), " ", el("b", {}, String(p.score))))),
    el("p", { class: "quiet" }, g.caption)))) : el("p", {}, say("No game is being played just now.")));
  const link = [...$("games").querySelectorAll("a")].find((a) => a.getAttribute("href") === focused);
  if (focused) link?.focus({ preventScroll: true });
}

/** show puts the featured game on the board. */
async function show() {
  const page = featured;
  $("featured").hidden = !page;
  if (!page) return;
  try {
    const { sight } = await ask(page + "/table", {}, { tries: 1 });
    if (featured !== page || !sight) return;
    $("featured-link").setAttribute("href", page);
    board.show({ ...sight, own: undefined, buttons: [] });
  } catch {
    $("featured").hidden = true; // it isn't for everybody any more
  }
}

async function look() {
  if (looking) {
    again = true;
    return;
  }
  looking = true;
  try {
    const { games } = await ask("/live/games", undefined, { tries: 1 });
    featured = choose(games);
    list(games);
    await show();
  } catch {
    // The connection is gone; the next event asks again.
  }
  await new Promise((done) => setTimeout(done, pause));
  looking = false;
  if (again) {
    again = false;
    look();
  }
}

new EventSource("/live/news").addEventListener("table", look);
look();
