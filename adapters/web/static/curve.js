// Curves over the moves of a game: the players' scores, or a player's chance to win.

import { el } from "./dom.js";
import { say } from "./say.js";

/**
 * curve draws lines from the left to the right edge. A value is from 0 at the bottom to 1 at the
 * top; undefined ones are left out.
 * @param {{ values: (number | undefined)[], style: string }[]} lines
 */
export function curve(lines) {
  const create = (/** @type {string} */ tag, /** @type {Record<string, string>} */ attributes) => {
    const node = document.createElementNS("http://www.w3.org/2000/svg", tag);
    for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
    return node;
  };
  const svg = create("svg", { viewBox: "0 0 100 100", preserveAspectRatio: "none", class: "curve", "aria-hidden": "true" });
  for (const { values, style } of lines) {
    const points = values.flatMap((v, i) => (v === undefined ? [] : [`${place(i, values.length)},${(100 - 100 * v).toFixed(1)}`]));
    svg.append(create("polyline", { points: points.join(" "), class: style }));
  }
  return svg;
}

/** place returns how far to the right one of n values lies, in percent. @param {number} i @param {number} n */
export const place = (i, n) => +((100 * i) / Math.max(1, n - 1)).toFixed(2);

/** scores returns each player's points after each move, as a share of the highest score. @param {Sight} view */
export function scores({ players, turns }) {
  const all = turns.map((t) => t.total ?? 0), most = Math.max(1, ...all, ...players.map((p) => p.score));
  return players.map(({ name, score }) => {
    let now = 0;
    return [0, ...turns.map((t) => (now = t.player === name && t.total !== undefined ? t.total : now)), score].map((n) => Math.max(0, n) / most);
  });
}

/** chances returns a seat's chance to win after each judged move. It is known after a move of the
 * seat, and with two players after each move. @param {Review[]} turns @param {number} seat @param {number} players */
export const chances = (turns, seat, players) => turns.map(({ made, seat: mover }) => (made.win === undefined ? undefined : mover === seat ? made.win : players === 2 ? 1 - made.win : undefined));

/** curveOfChances draws a seat's chance to win, with a dot for each judged move. @param {Review[]} turns @param {number} seat @param {number} players */
export function curveOfChances(turns, seat, players) {
  const values = chances(turns, seat, players);
  return el("div", { class: "chances", "aria-hidden": "true" }, curve([{ values, style: "line-0" }]), ...turns.map((t, i) => {
    const value = values[i];
    if (value === undefined) return false;
    const dot = el("i", { class: "dot" + (t.seat === seat ? " own" : "") + (mistake(t) ? " mistake" : "") });
    dot.style.setProperty("--x", place(i, turns.length) + "%");
    dot.style.setProperty("--y", (100 - 100 * value).toFixed(1) + "%");
    return dot;
  }));
}

/** titleOfChances names the curve of a seat's chance to win. @param {Sight} view @param {number} seat */
export const titleOfChances = ({ seat: own, players }, seat) => (seat === own ? say("Your chance to win") : say("{name}'s chance to win", { name: players.find((p) => p.seat === seat)?.name ?? "" }));

/** mistake reports whether another move was surely better. @param {Review} t */
export const mistake = (t) => Boolean(t.given || t.chance || t.loss >= 0.05);
