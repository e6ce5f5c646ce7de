// The judged plays of a position, as the review of a game and the analysis of a position list and
// compare them.

import { el } from "./dom.js";
import { moveRow } from "./story.js";
import { percent, say, tenths } from "./say.js";

/** least is the share of the chance to win below which a sentence doesn't mention it. */
export const least = 0.005;

/** whole rounds a share to whole percent. @param {number} share */
const whole = (share) => Math.round(100 * share);

/** extreme reports whether a chance is too close to 0 or 1 for whole percent. @param {number} share */
const extreme = (share) => (share > 0 && share < 0.01) || (share < 1 && share > 0.99);

/** chance returns a chance to win in words. @param {number} share */
export const chance = (share) => (!extreme(share) ? percent(whole(share) / 100) : share < 0.5 ? "<" + percent(0.01) : ">" + percent(0.99));

/**
 * given returns in words the share of the game that a play gives away compared with a better one. It
 * subtracts the whole percentages that chance shows, so that the three figures agree; share, which is
 * measured separately, stands in if one of them is missing or extreme.
 * @param {Judged} better @param {Judged} worse @param {number} share
 */
export function given({ win: better }, { win: worse }, share) {
  if (better === undefined || worse === undefined || extreme(better) || extreme(worse)) return chance(share);
  const n = whole(better) - whole(worse);
  return n > 0 ? percent(n / 100) : "<" + percent(0.01);
}

/** points returns a number of points in words. @param {number} n */
export const points = (n) => say("{n, plural, one {# point} other {# points}}", { n: Math.round(n) });

/**
 * cost returns what a play gives away compared with a better one, in words: a share of the game, or
 * else points.
 * @param {Judged} better @param {Judged} worse @param {number} share @param {number} loss
 */
export const cost = (better, worse, share, loss) => (share >= least ? say("{share} of the game", { share: given(better, worse, share) }) : points(loss));

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
