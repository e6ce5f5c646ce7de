// Sharing an address: through the system's own dialog on a touch screen, otherwise by copying it.

import { el, icon } from "./dom.js";
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

/**
 * shareGame opens a dialog with the ways to share a game: its picture, its moves as a GIF once it is
 * over, and its address.
 * @param {string} page @param {boolean} over
 */
export function shareGame(page, over) {
  const dark = theme() === "dark" ? "?dark" : "";
  const said = el("p", { class: "quiet", role: "status" });
  /** file returns a link to a file, which is shared as a file where the browser can. @param {string} label @param {string} path @param {string} name @param {string} type */
  const file = (label, path, name, type) => el("a", { class: "button", href: page + path + dark, download: name, onclick: async (/** @type {MouseEvent} */ e) => {
    if (!matchMedia("(pointer: coarse)").matches || !navigator.canShare?.({ files: [new File([], name, { type })] })) return;
    e.preventDefault();
    try {
      const data = await (await fetch(page + path + dark)).blob();
      await navigator.share({ files: [new File([data], name, { type })] });
    } catch {
      // The person changed their mind.
    }
  } }, label);
  /** @type {HTMLDialogElement} */
  const dialog = el("dialog", { class: "sheet narrow share", "aria-labelledby": "share-title", onclose: () => dialog.remove(), onclick: (/** @type {MouseEvent} */ e) => e.target === dialog && dialog.close() },
    el("header", { class: "sheet-head" }, el("h2", { id: "share-title", tabindex: "-1", autofocus: true }, say("Share")), el("button", { type: "button", class: "icon-button close", "aria-label": say("Close"), onclick: () => dialog.close() }, icon("close"))),
    el("img", { src: page + "/picture.png" + dark, alt: say("Picture"), width: "1200", height: "630" }),
    el("div", { class: "ways" },
      file(say("Picture"), "/picture.png", "rackmate.png", "image/png"),
      over && file("GIF", "/files/replay", "rackmate.gif", "image/gif"),
      el("button", { type: "button", class: "button primary", onclick: async () => (said.textContent = await give(ofGame(page))) }, say("Copy link"))),
    over && el("p", { class: "files" }, el("a", { href: page + "/files/moves", download: "" }, say("Moves as a file")), el("a", { href: page + "/files/proof", download: "" }, say("Proof of the draws"))), said);
  document.body.append(dialog);
  dialog.showModal();
}
