// Sharing an address: through the system's own dialog on a touch screen, otherwise by copying it.

import { say } from "./say.js";
import { theme } from "./settings.js";

/** ofGame returns the address of a game's page, with a preview picture in this screen's colours. @param {string} page */
export const ofGame = (page) => location.origin + page + (theme() === "dark" ? "?dark" : "");

/** give shares an address and returns a message about the result. @param {string} url */
export async function give(url) {
  try {
    if (navigator.share && matchMedia("(pointer: coarse)").matches) {
      await navigator.share({ title: "Rackmate", url });
      return "";
    }
    await navigator.clipboard.writeText(url);
    return say("The address is copied: {address}", { address: url });
  } catch {
    return say("Send them this address: {address}", { address: url });
  }
}
