// The players: scores, clocks, whose turn it is, and the last event.

import { el, number, timeOf, timeLeft, isolate } from "./dom.js";
import { say } from "./say.js";
import { fromRight } from "./squares.js";

const minute = 60000;
// warnings lists the remaining times at which a player is warned, in milliseconds.
const warnings = [5 * minute, minute, minute / 6];

/** robot returns a robot's name with its kind in small type: "Casual (robot)". @param {string} name @returns {(string | HTMLElement)[]} */
export function robot(name) {
  const [, called = name, what = ""] = /^(.+)( \(.+\))$/.exec(name) ?? [];
  return what ? [called, el("span", { class: "quiet" }, what)] : [name];
}

/** look returns the class of the line below a name. @param {Player} one @param {number} left */
const look = (one, left) => (one.clock ? "clock" + (left <= 0 ? " over" : (left <= minute ? " short" : "") + (left <= minute / 6 ? " last" : "")) : one.note ? "" : "awaited");

/** players draws a table's players; warn receives a sentence when the player's own time runs short,
 * and face returns a seat's picture.
 * @param {(text: string) => void} warn @param {(seat: number) => Node | null} [face] */
export function players(warn, face) {
  let own = { table: 0, left: 0, told: Infinity, shown: 0 }; // time left, last warning, and until when it is shown
  const all = el("ul", { class: "players" });
  const caption = el("p", { class: "caption" });
  return {
    all, caption,
    /** of returns the element of the player with a name. @param {Sight} view @param {string} [name] */
    of: (view, name) => all.children[view.players.findIndex((one) => one.name === name)],
    /** draw updates the players; passed is the age of the view in milliseconds. @param {Sight} view @param {number} passed */
    draw(view, passed) {
      const left = (/** @type {Player} */ one) => (one.clock ? one.clock.left - (one.clock.runs ? passed : 0) : Infinity);
      const mine = view.players.find((one) => one.seat === view.own?.seat && one.clock?.runs);
      if (mine) {
        if (own.table !== view.table) own = { table: view.table, left: left(mine), told: Infinity, shown: 0 };
        const at = warnings.find((at) => own.left > at && left(mine) <= at && at < own.told);
        if (at && left(mine) > 0) {
          warn(say("{time} left on your clock", { time: timeOf(at) }));
          Object.assign(own, { told: at, shown: Date.now() + 6000 });
        }
        own.left = left(mine);
      }
      all.replaceChildren(...view.players.map((one) => el("li", { class: [one.toMove && "to-move", one === mine && Date.now() < own.shown && "warned"].filter(Boolean).join(" ") },
        el("span", { class: "name" }, face?.(one.seat), one.toMove && el("span", { class: "turn-mark", "aria-hidden": "true" }, fromRight(view) ? "◂" : "▸"), el("bdi", {}, ...(one.robot ? robot(one.name) : [one.name])), one.seat === view.own?.seat && view.players.length > 1 && el("span", { class: "quiet" }, " " + say("you"))),
        el("b", { class: "score" }, number(one.score)),
        one.clock && one.toMove && el("span", { class: "unseen" }, say("to move")), el("span", { class: "note " + look(one, left(one)) }, one.clock ? timeOf(left(one)) : one.note ?? (one.toMove ? say("to move") : "")))));
      const until = view.until && view.phase !== "over" ? timeLeft(view.until - Date.now()) : "";
      const parts = [view.caption, view.phase !== "over" && view.supply, until].filter((x) => typeof x === "string" && x !== "");
      caption.replaceChildren(...parts.flatMap((x, i) => [...(i ? [" · "] : []), ...isolate(String(x))]));
    },
  };
}
