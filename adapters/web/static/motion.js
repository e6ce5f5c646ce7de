// Tiles that fly from the player who lays them.

import { el } from "./dom.js";

const calm = matchMedia("(prefers-reduced-motion: reduce)");

/** fly moves tiles one after another from a player's place, after a wait in milliseconds. It does
 * nothing if the reader prefers reduced motion or the page is "still".
 * @param {HTMLElement[]} tiles @param {Element} [from] @param {number} [wait] */
export function fly(tiles, from, wait = 0) {
  if (calm.matches || document.body.classList.contains("still")) return;
  const start = from?.getBoundingClientRect();
  for (const [i, tile] of tiles.entries()) {
    const end = tile.getBoundingClientRect(), scale = end.width / tile.offsetWidth || 1;
    const x = start ? (start.left + start.width / 2 - end.left - end.width / 2) / scale : 0, y = start ? (start.top + start.height / 2 - end.top - end.height / 2) / scale : -end.height;
    tile.animate?.([{ transform: `translate(${x}px, ${y}px) scale(.7)`, opacity: 0, zIndex: 5 }, { opacity: 1, offset: 0.25 }, { transform: "none", zIndex: 5 }], { duration: 420, delay: wait + 110 * i, easing: "cubic-bezier(.2, .9, .3, 1)", fill: "backwards" });
  }
}

/** cheer shows a number large above the board for a moment. It does nothing if fly doesn't. @param {HTMLElement} field @param {string} number */
export function cheer(field, number) {
  if (calm.matches || document.body.classList.contains("still")) return;
  /** @type {HTMLElement} */
  const node = el("b", { class: "cheer", "aria-hidden": "true", onanimationend: () => node.remove() }, number);
  field.append(node);
}
