// Who plays: scores, clocks, whose turn it is, and what happened last.

import { el, timeOf, timeLeft, isolate } from "./dom.js";
import { say } from "./say.js";
import { fromRight } from "./squares.js";

export function players() {
  const all = el("ul", { class: "players" });
  const caption = el("p", { class: "caption" });
  return {
    all, caption,
    /** draw shows them; passed is how many milliseconds ago the table stood so. @param {Sight} view @param {number} passed */
    draw(view, passed) {
      all.replaceChildren(...view.players.map((one, i) => el("li", { class: one.toMove ? "to-move" : "" },
        el("span", { class: "name" }, one.toMove && el("span", { class: "turn-mark", "aria-hidden": "true" }, fromRight(view) ? "◂" : "▸"), el("bdi", {}, one.name), i === view.own?.seat && view.players.length > 1 && el("span", { class: "quiet" }, " " + say("you"))),
        el("b", { class: "score" }, String(one.score)),
        one.clock && one.toMove && el("span", { class: "unseen" }, say("to move")), el("span", { class: "note" }, one.clock ? timeOf(one.clock.left - (one.clock.runs ? passed : 0)) : one.note ?? (one.toMove ? say("to move") : "")))));
      const until = view.until && view.phase !== "over" ? timeLeft(view.until - Date.now()) : "";
      const parts = [view.caption, view.phase !== "over" && view.supply, until].filter((x) => typeof x === "string" && x !== "");
      caption.replaceChildren(...parts.flatMap((x, i) => [...(i ? [" · "] : []), ...isolate(String(x))]));
    },
  };
}
