// The card above the board at the end of a game: the winner, the result, and each player's game.

import { el, icon, number } from "./dom.js";
import { kept } from "./kept.js";
import { say } from "./say.js";

const signed = (/** @type {number} */ n) => (n < 0 ? "−" : n > 0 ? "+" : "±") + Math.abs(n);

/** ending creates the card; closed is called when the player closes it. @param {BoardHost} host @param {() => void} closed */
export function ending(host, closed) {
  const card = el("section", { class: "ending", hidden: "", "aria-label": say("The end of the game") });
  let shown = 0; // the table whose end is shown
  /** @type {Map<number, HTMLElement>} */
  let accuracies = new Map(); // by seat

  /** @param {number} table */
  function close(table) {
    kept.setLong("ended", table);
    card.hidden = true;
    closed();
  }

  return {
    card,
    /** judged shows the players' accuracy. @param {(number | undefined)[]} accuracy by seat */
    judged(accuracy) {
      for (const [seat, node] of accuracies) if (accuracy[seat] !== undefined) node.textContent = say("Accuracy: {n} %", { n: accuracy[seat] });
    },
    /** draw shows the card until it is closed; looking is true while the player looks back at earlier turns. @param {Sight} view @param {boolean} looking */
    draw(view, looking) {
      const { ending: end, table } = view;
      card.hidden = !end || looking || kept.getLong("ended", 0) === table;
      if (card.hidden || !end || shown === table) return;
      shown = table;
      accuracies = new Map();
      const rematch = view.buttons?.find((b) => b.id.split(":")[3]?.startsWith("rematch"));
      const said = el("p", { class: "quiet", role: "status" });
      card.replaceChildren(
        el("button", { type: "button", class: "icon-button", "aria-label": say("Close"), onclick: () => close(table) }, icon("close")),
        el("h2", {}, el("bdi", {}, end.result)),
        end.by ? el("p", { class: "quiet" }, say("By {n, plural, one {# point} other {# points}}", { n: end.by })) : "",
        el("ul", {}, ...end.players.map((p) => {
          const accuracy = el("span", { class: "quiet" });
          accuracies.set(p.seat, accuracy);
          return el("li", { class: p.won ? "won" : "" },
          el("bdi", {}, p.name), el("b", {}, number(p.score)),
          Boolean(p.rating) && el("span", { class: "rating" }, say("Rating {rating}", { rating: p.rating ?? 0 }), " ", el("b", { class: (p.change ?? 0) < 0 ? "down" : "up" }, signed(p.change ?? 0))),
          el("span", { class: "quiet" }, [p.best && say("Best play: {play}", { play: p.best }), p.bingos && say("{n, plural, one {# bingo} other {# bingos}}", { n: p.bingos })].filter(Boolean).join(" · ")), accuracy);
        })),
        el("div", { class: "onward" },
          rematch && el("button", { type: "button", class: "button small primary", onclick: () => host.press(rematch.id) }, say("Rematch")),
          host.review && el("button", { type: "button", class: rematch ? "button small" : "button small primary", onclick: () => {
            close(table);
            host.review?.();
          } }, say("Review")),
          host.share && el("button", { type: "button", class: "button small", onclick: async () => (said.textContent = (await host.share?.()) ?? "") }, say("Share")),
          host.next && el("button", { type: "button", class: "button small", onclick: () => host.next?.() }, say("Next game"))),
        said);
    },
  };
}
