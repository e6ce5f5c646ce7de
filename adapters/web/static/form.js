// A form of the room's page whose request may be refused.

import { $, find } from "./dom.js";
import { plain, refusal } from "./api.js";

/**
 * form sends a form and shows the room's refusal in it.
 * @param {"entry-form" | "channel-form" | "me-form"} id @param {string} errorID @param {() => Promise<void>} send
 */
export function form(id, errorID, send) {
  const node = $(id);
  const field = find("input", node);
  node.addEventListener("submit", async (sent) => {
    sent.preventDefault();
    $(errorID).textContent = "";
    field.removeAttribute("aria-invalid");
    try {
      await send();
    } catch (e) {
      $(errorID).textContent = plain(refusal(e));
      field.setAttribute("aria-invalid", "true");
      field.focus();
    }
  });
}
