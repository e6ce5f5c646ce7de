// The player's rack and notes, and the choice of a blank's letter.

import * as p from "./play.js";
import { changes, el, find } from "./dom.js";
import { say } from "./say.js";
import { face, fromRight } from "./squares.js";

/** hand draws the rack; it passes the next state to set. @param {(next: State, how?: { focus?: boolean }) => void} set */
export function hand(set) {
  const rack = el("div", { class: "rack", role: "group", "aria-label": say("Your rack") });
  const notes = el("ul", { class: "notes", "aria-label": say("Your notes") });
  const chooser = el("div", { class: "chooser", role: "dialog", "aria-label": say("Which letter should the blank be?"), hidden: true });

  /** @param {Now} now */
  function drawRack({ view, s }) {
    rack.hidden = !view.own || view.own.lays === "remove";
    if (rack.hidden) return;
    rack.setAttribute("dir", fromRight(view) ? "rtl" : "ltr");
    const { activeElement } = document, focused = activeElement instanceof HTMLElement && rack.contains(activeElement) ? activeElement.dataset.tile : "";
    if (!changes(rack, [s.rack, s.laid, s.held, s.mode, s.picked])) return;
    rack.replaceChildren(...s.rack.map((t) => {
      if (s.laid.some((l) => l.id === t.id)) return el("span", { class: "slot" });
      const n = p.value(view, t.text), on = s.held === t.id || (s.mode === "exchange" && s.picked.includes(t.id));
      return el("button", { type: "button", class: "slot" + (on ? " on" : ""), "data-tile": String(t.id), "aria-pressed": String(on), "aria-label": t.text === "?" ? say("Blank") : `${t.text}, ${p.points(n)}` }, face(view, t.text));
    }));
    if (focused) /** @type {HTMLElement | null} */ (rack.querySelector(`[data-tile="${focused}"]`))?.focus();
  }

  /** @param {Now} now */
  function drawChooser({ view, s }) {
    const was = chooser.hidden;
    chooser.hidden = !s.asking;
    if (!s.asking || !was) return;
    chooser.setAttribute("dir", fromRight(view) ? "rtl" : "ltr");
    chooser.replaceChildren(el("p", {}, say("The blank stands for")),
      el("div", { class: "letters" }, ...p.letters(view).map((l) => el("button", { type: "button", onclick: () => set(p.choose(s, l), { focus: true }) }, l))),
      el("button", { type: "button", class: "button small", onclick: () => set(p.back(s), { focus: true }) }, say("Cancel")));
    find("button", chooser).focus({ preventScroll: true });
  }

  return {
    rack, notes, chooser,
    /** @param {Now} now */
    draw(now) {
      const lines = now.view.own?.notes ?? [];
      notes.hidden = !lines.length;
      notes.replaceChildren(...lines.map((line) => el("li", {}, el("bdi", {}, line))));
      drawRack(now);
      drawChooser(now);
    },
  };
}
