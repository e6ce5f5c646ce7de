// Lists of games: the person's own, others' games, and people waiting for an opponent.

import { $ } from "./dom.js";
import { call } from "./api.js";
import { store, on, emit } from "./store.js";

/** The latest lists, for the home page. */
export const lists = {
  waiting: false, // whether the person waits for an opponent
  seeks: /** @type {Seek[]} */ ([]), // others who wait
  open: /** @type {GameInfo[]} */ ([]), // tables to join
  running: /** @type {GameInfo[]} */ ([]),
  finished: /** @type {GameInfo[]} */ ([]),
  events: /** @type {{ page: string, name: string }[]} */ ([]), // competitions under way
  known: false, // whether the lists of others' games have been loaded
};

const atHome = () => !$("home").hidden;

/** start keeps the lists up to date. */
export function start() {
  on("greeted", refresh);
  on("table", soon);
  on("waits", (/** @type {boolean} */ is) => (lists.waiting = is));
  setInterval(() => atHome() && document.visibilityState === "visible" && refresh(), 10000);
}

let later = 0;
export function soon() {
  clearTimeout(later);
  later = setTimeout(refresh, 800);
}

/** refresh loads the lists; those of others' games only for the home page. */
export async function refresh() {
  const all = atHome();
  try {
    const { mine, ...got } = await call("games", { all }, { tries: 1 });
    store.mine = mine;
    Object.assign(lists, all ? { ...got, known: true } : { waiting: got.waiting, seeks: got.seeks });
    emit("side");
    emit("games");
  } catch {
    // The next refresh will ask again.
  }
}
