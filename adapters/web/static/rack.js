// The rack above the message box, which /rack puts there if no board shows it. It is requested again
// whenever something happens in the channel.

import { say } from "./say.js";
import { $, el, icon, announce } from "./dom.js";
import { here } from "./settings.js";
import { call, plain } from "./api.js";
import { store, stream } from "./store.js";
import { body } from "./message.js";

const dock = $("dock");
/** @type {Does} */
let does;
/** @type {Compose} */
let box;
let asked = 0; // number of the latest request or change, for dropping late answers

/** @param {Does} actions @param {Compose} composer */
export function start(actions, composer) {
  does = actions;
  box = composer;
  addEventListener("themed", () => store.current && !stream(store.current).sight?.own && ask(stream(store.current)));
}

/** show shows a stream's rack. @param {Stream} s */
export const show = (s) => draw(s);

/** ask requests the rack of a stream again, if it is in view. @param {Stream} s */
export async function ask(s) {
  if (s.id !== store.current || !s.rack) return;
  const question = ++asked;
  try {
    const { reply } = await call("rack", { stream: s.id, ...here() });
    if (question !== asked) return;
    s.rack = reply ?? null;
    if (s.id === store.current) draw(s);
  } catch {
    // The next greeting will ask again.
  }
}

/** none removes the rack, since a finished game has none to play from. @param {Stream} s */
export function none(s) {
  asked++;
  s.rack = null;
  if (s.id === store.current) draw(s);
}

/** put shows a rack from an answer of the host. @param {Stream} s @param {Reply} reply */
export function put(s, reply) {
  asked++;
  s.rack = reply;
  s.rackAway = false;
  announce(say("Rackmate, only to you: {text}", { text: plain(reply) }));
  if (s.id !== store.current) return;
  const place = [...dock.querySelectorAll(".button")].findIndex((b) => b === document.activeElement);
  draw(s);
  /** @type {HTMLElement | undefined} */ (dock.querySelectorAll(".button")[place])?.focus();
  // Highlight it for a moment, so that people find the answer.
  dock.classList.remove("shines");
  requestAnimationFrame(() => dock.classList.add("shines"));
}

/** @param {Stream} s */
function draw(s) {
  dock.hidden = !s.rack || Boolean(s.rackAway);
  dock.classList.toggle("pictured", Boolean(s.rack?.picture?.src)); // the text is then for screen readers
  if (dock.hidden) return dock.replaceChildren();
  dock.replaceChildren(
    el("p", { class: "private" }, icon("lock"), el("span", {}, say("Only you can see this"))),
    ...(s.rack ? body(s.rack, does) : []),
    el("button", { type: "button", class: "icon-button", "aria-label": say("Hide the rack"), title: say("Hidden; /rack brings it back"), onclick: () => {
      s.rackAway = true;
      draw(s);
      box.focus();
    } }, icon("close")));
  does.seen();
}
