// The squares of a board and their tiles.

import * as p from "./play.js";
import { el } from "./dom.js";
import { say } from "./say.js";

/** @type {Record<string, string>} */
const labels = { d: "2L", t: "3L", D: "2W", T: "3W", "*": "★", "+": "★" };

/** fromRight reports whether a table's words are read from the right. @param {View} view */
export const fromRight = (view) => view.tiles.some((l) => /[\p{Script=Hebrew}\p{Script=Arabic}]/u.test(l.text));

/** face draws a tile. @param {View} view @param {string} tile @param {boolean} [fresh] */
export function face(view, tile, fresh) {
  const one = p.letter(tile), n = p.value(view, tile), blank = tile.startsWith("?");
  return el("span", { class: "face" + (blank ? " blank" : "") + (fresh ? " fresh" : "") + ([...one].length > 1 ? " wide" : ""), "aria-hidden": "true" },
    tile === "?" ? "" : one, !blank && n > 0 && el("i", { "data-t": String(n) }));
}

/** squares draws a table's squares in an element. @param {HTMLElement} grid */
export function squares(grid) {
  /** @type {HTMLElement[]} */
  let cells = [];

  /** @param {View} view */
  function build(view) {
    cells = [];
    const { size } = view;
    const head = el("div", { role: "row", class: "row heads" }, el("span", { role: "columnheader" }, el("span", { class: "unseen" }, say("Row"))),
      ...Array.from({ length: size }, (_, c) => el("span", { role: "columnheader", class: "head" }, String.fromCharCode(65 + c))));
    const rows = Array.from({ length: size }, (_, r) => el("div", { role: "row", class: "row" }, el("span", { role: "rowheader", class: "head" }, String(r + 1)), ...Array.from({ length: size }, (_, c) => {
      const square = r * size + c, kind = view.squares[square];
      const cell = el("div", { role: "gridcell", class: "cell", "data-square": String(square), "data-kind": labels[kind] && kind, "data-t": labels[kind], tabindex: "-1" });
      cells.push(cell);
      return cell;
    })));
    grid.replaceChildren(head, ...rows);
    grid.style.setProperty("--size", String(size));
    grid.setAttribute("dir", fromRight(view) ? "rtl" : "ltr");
  }

  return {
    cell: (/** @type {number} */ square) => /** @type {HTMLElement | undefined} */ (cells[square]),
    of: (/** @type {Element | null} */ cell) => (cell && grid.contains(cell) ? Number(/** @type {HTMLElement} */ (cell).dataset.square) : -1),

    /** draw updates the squares and returns the new tiles; spot is the square used last. @param {Now} now @param {number} spot @param {boolean} focus @returns {HTMLElement[]} */
    draw({ view, s, back }, spot, focus) {
      /** @type {HTMLElement[]} */
      const came = [];
      if (cells.length !== view.size * view.size) build(view);
      const past = back >= 0;
      const lies = past ? p.after(view, back) : view.board;
      const fresh = new Set(past ? (view.turns[back - 1]?.changes ?? []).map((c) => c.square) : view.fresh ?? []);
      const gone = new Set(past ? [] : view.gone ?? []);
      const sent = past ? undefined : view.own?.submitted;
      const tab = s.cursor?.square ?? (spot >= 0 && spot < cells.length ? spot : Math.max(0, view.squares.search(/[*+]/)));
      for (const [square, cell] of cells.entries()) {
        const laid = past ? undefined : s.laid.find((l) => l.square === square);
        const submitted = !laid && sent?.squares?.includes(square) ? sent.letters[sent.squares.indexOf(square)] : "";
        const tile = laid ? p.at(s, square) : lies[square] || submitted;
        const here = !past && s.cursor?.square === square;
        const chosen = view.own?.lays === "remove" && s.picked.includes(square);
        const held = laid && s.held === laid.id;
        const sign = [tile, laid?.id, fresh.has(square), here && s.cursor?.arrow, here, chosen, gone.has(square), submitted, held, view.printed?.[square], square === tab].join("|");
        if (cell.dataset.sign === sign) continue;
        const arrives = cell.dataset.sign !== undefined && !past && fresh.has(square) && !cell.querySelector(".face");
        cell.dataset.sign = sign;
        cell.className = ["cell", laid && "laid", here && "cursor", here && s.cursor?.arrow, chosen && "chosen", gone.has(square) && "gone", submitted && "submitted", held && "held"].filter(Boolean).join(" ");
        if (laid) cell.dataset.tile = String(laid.id);
        else delete cell.dataset.tile;
        cell.replaceChildren(tile ? face(view, tile, fresh.has(square)) : view.printed?.[square] ? el("span", { class: "print", "aria-hidden": "true" }, view.printed[square]) : "");
        if (arrives && cell.firstElementChild) came.push(/** @type {HTMLElement} */ (cell.firstElementChild));
        cell.setAttribute("aria-label", past ? p.describe({ ...s, laid: [], view: { ...view, board: lies } }, square) : p.describe(s, square));
        cell.setAttribute("tabindex", square === tab ? "0" : "-1");
        cell.setAttribute("aria-selected", String(here || chosen));
      }
      if (focus) cells[tab].focus({ preventScroll: true });
      return came;
    },
  };
}
