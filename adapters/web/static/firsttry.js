// Asks a stranger for a name after their first try, so that the room can keep it.

import { el } from "./dom.js";
import { say } from "./say.js";
import { ask, plain, refusal } from "./api.js";

/**
 * asksName shows a form for the name in an element, and calls keep with the new person.
 * @param {HTMLElement} box @param {(me: Person) => unknown} keep
 */
export function asksName(box, keep) {
  const name = el("input", { id: "try-name", maxlength: "30", autocomplete: "nickname", autocapitalize: "words", spellcheck: "false", placeholder: say("Your name"), "aria-describedby": "try-error" });
  const error = el("p", { id: "try-error", class: "error", role: "alert" });
  const button = el("button", { class: "button primary", type: "submit" }, say("Keep my try"));
  box.replaceChildren(el("form", { class: "try-name", onsubmit: async (/** @type {SubmitEvent} */ e) => {
    e.preventDefault();
    if (button.hasAttribute("aria-busy")) return;
    button.setAttribute("aria-busy", "true");
    error.textContent = "";
    try {
      const me = await ask("/api/enter", { name: name.value });
      box.replaceChildren();
      await keep(me);
    } catch (e) {
      error.textContent = plain(refusal(e));
      name.focus();
    } finally {
      button.removeAttribute("aria-busy");
    }
  } }, el("label", { for: "try-name" }, say("What shall we call you?")), el("div", { class: "entry-row" }, name, button), error));
  name.focus();
}
