// The board of a list of games: it shows the game with the latest event.

import { find } from "./dom.js";
import { ask } from "./api.js";
import { mount } from "./board.js";
import { settings, tick } from "./settings.js";

/** @typedef {{ page: string, number: number, line: Element }} Live */

/** start shows a game of the page's list on the block's board, and updates it whenever the list changes. @param {HTMLElement} block */
export function start(block) {
  let featured = "";
  /** @type {Map<string, number> | undefined} */
  let known; // number of events of each game, by its page
  const board = mount(find(".board-box", block), { act: async () => undefined, draft: async () => ({ score: 0 }), press: () => {}, say: () => {}, settings, sound: tick });

  /** choose returns the game to show: one with news, preferably the current one, or else the first. @param {Live[]} games */
  function choose(games) {
    const news = known ? games.filter((g) => known?.get(g.page) !== g.number) : [];
    const one = [...news, ...games].find((g) => g.page === featured && (!news.length || news.includes(g))) ?? news[0] ?? games[0];
    known = new Map(games.map((g) => [g.page, g.number]));
    return one?.page ?? "";
  }

  /** show shows the chosen game on the board. */
  async function show() {
    const page = featured;
    block.hidden = !page;
    if (!page) return;
    try {
      const { sight } = await ask(page + "/table", {}, { tries: 1 });
      if (featured !== page || !sight) return;
      find("p a", block).setAttribute("href", page);
      board.show({ ...sight, own: undefined, buttons: [] });
    } catch {
      block.hidden = true; // it is no longer public
    }
  }

  return () => {
    const games = [.../** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-path]"))].map((line) => ({ page: line.dataset.path ?? "", number: Number(line.dataset.number), line }));
    featured = choose(games);
    for (const one of games) one.line.classList.toggle("shown", one.page === featured);
    show();
  };
}
