// Who plays: scores, clocks, whose turn it is, and what happened last.

import { el, number, timeOf, timeLeft, isolate } from "./dom.js";
import { say } from "./say.js";
import { fromRight } from "./squares.js";

const minute = 60000;
// warnings are how much time is left when somebody is told so.
const warnings = [5 * minute, minute, minute / 6];

/** robot is a robot's name, what it is in small: "Casual (robot)". @param {string} name @returns {(string | HTMLElement)[]} */
function robot(name) {
  const [, called = name, what = ""] = /^(.+)( \(.+\))$/.exec(name) ?? [];
  return what ? [called, el("span", { class: "quiet" }, what)] : [name];
}

/** look is how what stands below a name looks. @param {Player} one @param {number} left */
const look = (one, left) => (one.clock ? "clock" + (left <= 0 ? " over" : (left <= minute ? " short" : "") + (left <= minute / 6 ? " last" : "")) : one.note ? "" : "awaited");

/** players are those at a table; warn hears in words when one's own time runs short, and face draws who sits on a seat. @param {(text: string) => void} warn @param {(seat: number) => Node | null} [face] */
export function players(warn, face) {
  let own = { table: 0, left: 0, told: Infinity, shown: 0 }; // what was left on one's clock, what one was told last, and until when that is seen
  const all = el("ul", { class: "players" });
  const caption = el("p", { class: "caption" });
  return {
    all, caption,
    /** of is where somebody of a name is shown. @param {Sight} view @param {string} [name] */
    of: (view, name) => all.children[view.players.findIndex((one) => one.name === name)],
    /** draw shows them; passed is how many milliseconds ago the table stood so. @param {Sight} view @param {number} passed */
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
