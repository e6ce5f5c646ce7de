// A board as a small picture: its squares, its tiles, and the last play in a colour of its own. The
// style sets the colours, so that it follows the page's theme.

import { el } from "./dom.js";

const svg = "http://www.w3.org/2000/svg";
/** @type {Record<string, string>} */
const kinds = { T: "w3", D: "w2", "*": "w2", "+": "w2", t: "l3", d: "l2" };

/** shape draws squares of one sort. @param {string} name @param {[number, number][]} at @param {number} inset */
function shape(name, at, inset) {
  const path = document.createElementNS(svg, "path"), side = 1 - 2 * inset;
  path.setAttribute("class", name);
  path.setAttribute("d", at.map(([x, y]) => `M${x + inset} ${y + inset}h${side}v${side}h-${side}z`).join(""));
  return path;
}

/** mini draws a board. @param {SmallBoard} view @param {string} [label] what it shows, if nothing beside it says so */
export function mini({ size, squares, board, fresh = [] }, label) {
  const picture = document.createElementNS(svg, "svg");
  picture.setAttribute("viewBox", `0 0 ${size} ${size}`);
  picture.setAttribute("class", "mini");
  if (label) {
    picture.setAttribute("role", "img");
    picture.setAttribute("aria-label", label);
  } else picture.setAttribute("aria-hidden", "true");
  const turned = Object.values(board).some((tile) => /[\p{Script=Hebrew}\p{Script=Arabic}]/u.test(tile)); // read from the right
  const at = (/** @type {number} */ i) => /** @type {[number, number]} */ ([turned ? size - 1 - (i % size) : i % size, Math.floor(i / size)]);
  /** @type {Record<string, [number, number][]>} */
  const sorts = { w3: [], w2: [], l3: [], l2: [], lies: [], fresh: [] };
  const letters = [];
  for (let i = 0; i < size * size; i++) {
    const tile = board[i];
    if (!tile) {
      sorts[kinds[squares[i]]]?.push(at(i));
      continue;
    }
    sorts[fresh.includes(i) ? "fresh" : "lies"].push(at(i));
    const [x, y] = at(i), text = document.createElementNS(svg, "text"), blank = tile.startsWith("?"), letter = blank ? tile.slice(1) : tile;
    text.setAttribute("x", String(x + 0.5));
    text.setAttribute("y", String(y + 0.77));
    if (blank) text.setAttribute("class", "blank");
    if ([...letter].length > 1) text.setAttribute("textLength", "0.8");
    text.textContent = letter;
    letters.push(text);
  }
  picture.append(...Object.entries(sorts).filter(([, all]) => all.length).map(([name, all]) => shape(name, all, name === "lies" || name === "fresh" ? 0.03 : 0.06)), ...letters);
  return picture;
}

/** fills draws the boards of blocks that the host has sent, and those of later ones. @param {ParentNode} root */
export function fills(root) {
  for (const box of /** @type {NodeListOf<HTMLElement>} */ (root.querySelectorAll("[data-mini]"))) {
    box.replaceChildren(mini(JSON.parse(box.dataset.mini ?? "")));
    delete box.dataset.mini;
  }
}

/** withoutKind returns the name of a robot called "Casual (robot)". @param {string} name */
export const withoutKind = (name) => name.replace(/ \([^)]*\)$/, "");

/** boardCard draws a game as a small board with its players and scores, as a link to it. @param {GameInfo} g @param {(string | Node)[]} note */
export function boardCard(g, note) {
  const best = Math.max(...g.players.map((p) => p.score));
  return el("a", { class: "board-card" + (g.turn ? " turn" : ""), href: g.page }, mini(g.board),
    el("span", { class: "board-players" }, ...g.players.map((p) => el("span", { class: "board-player" + (p.toMove ? " to-move" : "") + (g.phase === "over" && p.score === best ? " won" : "") },
      el("bdi", {}, p.robot ? withoutKind(p.name) : p.name), el("b", {}, String(p.score))))),
    el("span", { class: "board-note" }, ...note));
}
