// The judged plays of a position, as the review of a game and the analysis of a position list and
// compare them.

import { el } from "./dom.js";
import { moveRow } from "./story.js";
import { percent, say, tenths } from "./say.js";

/** least is the share of the chance to win below which a sentence doesn't mention it. */
export const least = 0.005;

/** chance returns a chance to win in words. @param {number} share */
export const chance = (share) => (share > 0 && share < 0.01 ? "<" + percent(0.01) : share < 1 && share > 0.99 ? ">" + percent(0.99) : percent(share));

/** cost returns what a share of the chance to win or some points are, in words. @param {number} share @param {number} points */
export const cost = (share, points) => (share >= least ? say("{share} of the game", { share: chance(share) }) : say("{n, plural, one {# point} other {# points}}", { n: Math.round(points) }));

/**
 * lead returns a positive number if a play is better than another, and 0 if they are as good:
 * measured by the chance to win, or else by the points until the end.
 * @param {Judged} a @param {Judged} b
 */
export function lead(a, b) {
  const win = (a.win ?? 0) - (b.win ?? 0), points = a.equity - b.equity;
  if (Math.abs(win) >= least) return win;
  return (a.chance && b.chance) || Math.abs(points) < 0.05 ? 0 : points;
}

/**
 * choices lists plays with their points and what they are worth, under headings. look is called with
 * the index of a play that is pressed, and below returns the nodes below one.
 * @param {Judged[]} all
 * @param {{ at: number, name(i: number): string | number, look(i: number): void, below?(w: Judged, i: number): Child[] }} how
 */
export function choices(all, { at, name, look, below = () => [] }) {
  // Without a difference in the chance to win, the points until the end tell moves apart.
  const wins = all.flatMap((w) => w.win ?? []), byWin = wins.length > 0 && (wins.some((n) => n > 0 && n < 1) || new Set(wins).size > 1);
  const worth = (/** @type {Judged} */ w) => (!byWin ? tenths(w.equity) : w.win === undefined ? "–" : chance(w.win));
  return [
    el("div", { class: "turn-head", "aria-hidden": "true" }, el("span", {}, say("Move")), el("span", {}, say("Points")), el("span", {}, byWin ? say("Chance to win") : say("Points by the end"))),
    el("ol", { class: "choices", "aria-label": say("The best moves") }, ...all.map((w, i) => el("li", {},
      moveRow({ "aria-current": i === at ? "step" : null, onclick: () => look(i) }, { number: name(i), text: w.text, points: w.points }, el("span", { class: "loss" }, worth(w))), ...below(w, i)))),
  ];
}
