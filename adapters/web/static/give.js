// Giving an address to others: by the system's own way on what is touched, else copied.

import { say } from "./say.js";
import { theme } from "./settings.js";

/** ofGame is the address of a game's page, beside which sites show a picture like this screen. @param {string} page */
export const ofGame = (page) => location.origin + page + (theme() === "dark" ? "?dark" : "");

/** give gives an address, and says what came of it. @param {string} url */
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
