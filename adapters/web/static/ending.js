// The end of a game: a card above the board with the winner, the result and each player's game, and
// the buttons for what comes next.

import { el, icon, number } from "./dom.js";
import { kept } from "./kept.js";
import { parts, percent, say } from "./say.js";
import { robot } from "./players.js";
import { face, fromRight } from "./squares.js";
import { curve, curveOfChances, scores, titleOfChances } from "./curve.js";

const signed = (/** @type {number} */ n) => (n < 0 ? "−" : n > 0 ? "+" : "±") + Math.abs(n);

// remembered limits how many closed cards a browser remembers.
const remembered = 100;

/** closedEnds lists the tables whose cards the player has closed. @returns {number[]} */
const closedEnds = () => [kept.getLong("ended", [])].flat();

/** ending creates the card; closed is called when the player closes it. @param {BoardHost} host @param {() => void} closed */
export function ending(host, closed) {
  const card = el("section", { class: "ending", hidden: "", "aria-label": say("The end of the game") });
  let drawn = ""; // what the card shows
  /** @type {Reviewed | undefined} */
  let review;
  let reviewed = 0; // the table of the review

  /** @param {number} table */
  function close(table) {
    kept.setLong("ended", [...closedEnds().filter((t) => t !== table), table].slice(-remembered));
    card.hidden = true;
    closed();
  }

  /** onward returns the buttons that lead on from a finished game. @param {Sight} view */
  function onward(view) {
    const rematch = view.buttons?.find((b) => b.id.split(":")[3]?.startsWith("rematch"));
    const button = (/** @type {string} */ as, /** @type {string} */ label, /** @type {() => void} */ onclick) => Object.assign(el("button", { type: "button", class: "button small", "data-as": as }, label), { onclick });
    const all = [
      rematch && button("rematch", say("Rematch"), () => host.press(rematch.id)),
      host.review && button("review", say("Review"), () => {
        close(view.table);
        host.review?.();
      }),
      host.share && button("share", say("Share"), async () => host.say((await host.share?.()) ?? "")),
      host.next && button("next", say("Next game"), () => host.next?.()),
    ].filter((b) => b !== undefined);
    all[0]?.classList.add("primary");
    return all;
  }

  /** headline sets the result apart from the words before it. @param {Sight} view @param {string} result @returns {Child[]} */
  const headline = ({ caption = "" }, result) => (say("Game over: {result}", { result: caption }) === result ? parts("Game over: {result}", { result: el("bdi", {}, caption) }) : [el("bdi", {}, result)]);

  /** player draws one player's game. @param {Sight} view @param {NonNullable<Sight["ending"]>["players"][number]} p @param {number} i */
  const player = (view, p, i) => {
    const accuracy = review?.accuracy && reviewed === view.table && review.turns.some((t) => t.seat === p.seat) ? say("Accuracy: {share}", { share: percent(review.accuracy[p.seat] / 100) }) : "";
    return el("li", { class: `line-${i % 4}` + (p.won ? " won" : "") },
      el("span", { class: "name" }, el("bdi", {}, ...robot(p.name))), el("b", {}, number(p.score)),
      p.play?.length ? el("span", { class: "best", dir: fromRight(view) ? "rtl" : null }, el("span", { class: "unseen" }, say("Best play: {play}", { play: p.best ?? "" })), ...p.play.map((t) => el("span", { class: "best-tile" }, face(view, t))), el("span", { class: "quiet", "aria-hidden": "true" }, String(p.points)))
        : p.best && el("span", { class: "quiet" }, say("Best play: {play}", { play: p.best })),
      el("span", { class: "quiet facts" }, [p.bingos && say("{n, plural, one {# bingo} other {# bingos}}", { n: p.bingos }), accuracy].filter(Boolean).join(" · ")),
      Boolean(p.rating) && el("span", { class: "rating" }, say("Rating {rating}", { rating: p.rating ?? 0 }), " ", el("b", { class: (p.change ?? 0) < 0 ? "down" : "up" }, signed(p.change ?? 0))));
  };

  /** plot returns the curve of the chance to win once the game is reviewed, otherwise of the score. @param {Sight} view */
  function plot(view) {
    const turns = reviewed === view.table && review && review.turns.length === review.moves ? review.turns : [];
    if (turns.length > 2 && view.players.length === 2) {
      const seat = view.seat ?? view.ending?.players[0].seat ?? 0;
      return el("figure", {}, el("figcaption", { class: "quiet" }, titleOfChances(view, seat)), curveOfChances(turns, seat, 2));
    }
    if (view.turns.length < 3 || view.players.length > 4) return "";
    const order = view.ending?.players.map((p) => view.players.findIndex((one) => one.seat === p.seat)) ?? [], all = scores(view);
    return el("figure", {}, el("figcaption", { class: "quiet" }, say("Points")), curve(order.flatMap((at, i) => (at < 0 ? [] : [{ values: all[at], style: `line-${i % 4}` }]))));
  }

  return {
    card, onward,
    /** judged shows the players' accuracy, and the curve of the chance to win. @param {Sight} view @param {Reviewed} made */
    judged(view, made) {
      [review, reviewed] = [made, view.table];
    },
    /** draw shows the card until it is closed; looking is true while the player looks back at earlier turns. @param {Sight} view @param {boolean} looking @param {boolean} [now] whether the game has just ended */
    draw(view, looking, now = false) {
      const { ending: end, table } = view;
      card.hidden = !end || looking || closedEnds().includes(table);
      if (card.hidden || !end) return;
      const next = onward(view), sign = JSON.stringify([table, end, view.buttons, reviewed === table && review?.accuracy]);
      if (drawn === sign) return;
      drawn = sign;
      const focused = [...card.querySelectorAll("button")].findIndex((b) => b === document.activeElement);
      card.classList.toggle("cheers", now && end.players.some((p) => p.won && p.seat === view.seat));
      card.classList.toggle("many", end.players.length > 2);
      card.replaceChildren(
        el("button", { type: "button", class: "icon-button", "aria-label": say("Close"), onclick: () => close(table) }, icon("close")),
        el("h2", {}, ...headline(view, end.result)),
        end.by ? el("p", { class: "margin" }, say("By {n, plural, one {# point} other {# points}}", { n: end.by })) : "",
        el("ul", {}, ...end.players.map((p, i) => player(view, p, i))),
        plot(view),
        el("div", { class: "onward" }, ...next));
      [...card.querySelectorAll("button")][focused]?.focus({ preventScroll: true });
    },
  };
}
