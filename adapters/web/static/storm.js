// A storm on a daily board's page: three minutes, seven letters at a time, and the one word
// that they make. The host's clock decides; ours only shows it.

import { $, el, announce } from "./dom.js";
import { newID, plain, refusal } from "./api.js";
import { here } from "./settings.js";

/** @param {(path: string, body: object) => Promise<any>} call  asks the page's host */
export function storm(call) {
  let ends = 0, busy = false, asked = 0;
  const word = /** @type {HTMLInputElement} */ ($("storm-word"));

  /** @param {Storm} s */
  function draw(s) {
    if (s.refused) return tell(s.said ?? "");
    ends = s.on ? performance.now() + s.left : 0;
    $("storm-on").hidden = !s.on;
    $("storm-play").hidden = s.on;
    $("storm").classList.toggle("on", s.on);
    if (!s.had) return;
    tell([s.on ? s.said : "", s.score].filter(Boolean).join(" "));
    $("storm-said").dataset.was = s.on ? s.was ?? "" : "";
    const letters = s.letters ?? [];
    $("storm-letters").replaceChildren(...letters.map((letter) => el("span", { class: "storm-tile" }, letter)));
    if (s.on && letters.length) announce(letters.join(" "));
    $("storm-best").replaceChildren(...(s.best ?? []).map((line) => el("p", {}, line)));
    if (s.on) {
      word.focus({ preventScroll: true });
      tick();
    }
  }

  /** @param {string} text */
  function tell(text) {
    $("storm-said").textContent = text;
  }

  // It asks the host when the time is up, and whenever it has lost sight of it.
  function tick() {
    if (!ends) return;
    const left = Math.ceil((ends - performance.now()) / 1000);
    $("storm-left").textContent = `${Math.floor(Math.max(0, left) / 60)}:${String(Math.max(0, left) % 60).padStart(2, "0")}`;
    if (left <= 0) {
      ends = 0;
      word.value = "";
      does("look");
    }
  }
  setInterval(tick, 250);

  /** @param {string} what @param {string} [typed] */
  async function does(what, typed = "") {
    const acts = what !== "look", number = asked + 1;
    if (busy) return; // looking holds nothing up
    busy = acts;
    asked = number;
    try {
      const answer = await call("storm", { id: newID(), do: what, word: typed, ...here() });
      if (number === asked) draw(answer);
    } catch (e) {
      tell(plain(refusal(e)));
    } finally {
      if (acts) busy = false;
    }
  }

  $("storm-play").onclick = () => does("play");
  $("storm-skip").onclick = () => does("skip");
  $("storm-end").onclick = () => does("end");
  $("storm-form").onsubmit = (event) => {
    event.preventDefault();
    const typed = word.value.trim();
    word.value = "";
    if (typed) does("solve", typed);
  };
  document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && ends && does("look"));
  does("look").then(() => location.hash === "#storm" && $("storm").scrollIntoView());
}
