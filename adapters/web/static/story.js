// The list of a game's moves, for looking back.

import { changes, el, isolate, number } from "./dom.js";
import { say } from "./say.js";

const signed = (/** @type {number} */ n) => (n > 0 ? "+" : "−") + Math.abs(n);

/**
 * moveRow returns a move in a list as a button, with its number, player, text and points, and
 * further columns.
 * @param {Record<string, any>} attributes @param {{ number: string | number, by?: string, text: string, points: string | number }} move @param {...(Node | string | false | undefined)} columns
 */
export const moveRow = (attributes, { number, by, text, points }, ...columns) => el("button", { type: "button", class: "turn", ...attributes },
  el("span", { class: "number" }, String(number)), by !== undefined && el("bdi", { class: "by" }, by), el("span", { class: "what" }, ...isolate(text)), el("span", { class: "points" }, String(points)), ...columns);

/** told describes the position shown in words. @param {Turn[]} turns @param {number} back */
export function told(turns, back) {
  if (back === 0) return say("Before the first move");
  const t = turns[back - 1];
  return [t.player, t.text, t.score && signed(t.score)].filter(Boolean).join(" ");
}

/** story lists a game's moves; look shows the position after some of them, and changed is called
 * when the list is opened or closed.
 * @param {(back: number) => void} look @param {() => void} changed */
export function story(look, changed) {
  const moves = el("ol", { class: "moves" });
  const scrub = el("div", { class: "scrub", role: "group", "aria-label": say("Look back") });
  const list = el("details", { class: "story", ontoggle: () => {
    changed();
    follow();
  } }, el("summary", {}, say("Moves")), moves);
  const step = (/** @type {string} */ name, /** @type {string} */ glyph, /** @type {number} */ to, /** @type {boolean} */ off) => el("button", { type: "button", class: "icon-button", "aria-label": name, title: name, "aria-disabled": off ? "true" : null, onclick: () => off || look(to) }, glyph);

  /** follow keeps the current move in view, or else the last one. */
  function follow() {
    const at = moves.querySelector("[aria-current]");
    if (at) at.scrollIntoView({ block: "nearest" });
    else moves.scrollTop = moves.scrollHeight;
  }

  return {
    scrub, list,
    /** @param {Now} now */
    draw({ view, back }) {
      list.hidden = !view.turns.length;
      scrub.hidden = list.hidden || !(back >= 0 || list.open || view.phase === "over");
      if (list.hidden) return;
      const all = view.turns.length, n = back < 0 ? all : back;
      const focused = [...scrub.children].findIndex((node) => node === document.activeElement);
      const steps = [
        step(say("First"), "«", 0, n === 0), step(say("Back"), "‹", n - 1, n === 0), el("span", { class: "where" }, back < 0 ? say("Now") : say("{n} of {all}", { n, all })), step(say("Forward"), "›", n + 1, back < 0), step(say("Last"), "»", -1, back < 0)];
      scrub.replaceChildren(...steps);
      steps[focused]?.focus();
      if (!changes(moves, [view.table, all, back])) return;
      moves.replaceChildren(...view.turns.map((t, i) => el("li", {}, moveRow({ "aria-current": back === i + 1 ? "step" : null, onclick: () => look(i + 1) },
        { number: t.number || "", by: t.player ?? "", text: t.text, points: t.score ? signed(t.score) : "" }, el("span", { class: "total" }, t.total ? number(t.total) : "")))));
      follow();
    },
  };
}
