// Dragging tiles from the rack or a square to a square or a place on the rack.

import { el } from "./dom.js";

const slop = 8; // pixels that a finger may move during a tap

/**
 * drags makes the tiles in an element draggable; on handles the results.
 * @param {HTMLElement} root @param {HTMLElement} grid @param {HTMLElement} rack
 * @param {{ can(): boolean, face(id: number): HTMLElement, side(): number, free(square: number): boolean, drop(id: number, to: { square: number } | { place: number } | null): void }} on
 */
export function drags(root, grid, rack, on) {
  /** @typedef {{ node: HTMLElement, to: { square: number } | { place: number } }} Target */
  /** @type {{ id: number, x: number, y: number, pointer: number, from: HTMLElement, ghost: HTMLElement | null, touch: boolean, over: Target | null } | null} */
  let drag = null;
  let dragged = false; // whether the following click ends a drag

  root.addEventListener("pointerdown", (e) => {
    dragged = false;
    const tile = /** @type {HTMLElement} */ (e.target).closest("[data-tile]");
    if (!(tile instanceof HTMLElement) || e.button > 0 || !on.can()) return;
    drag = { id: Number(tile.dataset.tile), x: e.clientX, y: e.clientY, pointer: e.pointerId, from: tile, ghost: null, touch: e.pointerType !== "mouse", over: null };
  });
  addEventListener("pointermove", (e) => {
    if (!drag || e.pointerId !== drag.pointer) return;
    if (!drag.ghost && Math.hypot(e.clientX - drag.x, e.clientY - drag.y) < slop) return;
    e.preventDefault();
    const ghost = drag.ghost ?? lift(drag), box = ghost.getBoundingClientRect();
    const y = e.clientY - (drag.touch ? Math.max(44, box.height) : 0); // above the finger, so that it is visible
    ghost.style.setProperty("translate", `${e.clientX - box.width / 2}px ${y - box.height / 2}px`);
    const to = target(e.clientX, e.clientY, e.clientX, y);
    drag.over?.node.classList.remove("over");
    to?.node.classList.add("over");
    drag.over = to;
  }, { passive: false });
  // Without this, a finger that lifts in motion would scroll the page, and the next tap would only
  // stop that.
  root.addEventListener("touchmove", (e) => drag && e.preventDefault(), { passive: false });
  addEventListener("pointerup", (e) => {
    if (!drag || e.pointerId !== drag.pointer) return;
    const { ghost, id, over } = drag;
    end();
    if (!ghost) return;
    dragged = true;
    setTimeout(() => (dragged = false), 50);
    on.drop(id, over?.to ?? null);
  });
  addEventListener("pointercancel", (e) => e.pointerId === drag?.pointer && end());

  /** @param {NonNullable<typeof drag>} one */
  function lift(one) {
    const side = on.side() * 1.15;
    one.ghost = el("div", { class: "ghost", "aria-hidden": "true" }, on.face(one.id));
    for (const measure of ["width", "height", "font-size"]) one.ghost.style.setProperty(measure, side + "px");
    document.body.append(one.ghost);
    one.from.classList.add("lifted");
    return one.ghost;
  }

  function end() {
    drag?.ghost?.remove();
    drag?.from.classList.remove("lifted");
    drag?.over?.node.classList.remove("over");
    drag = null;
  }

  /**
   * target returns where a tile would be dropped: a place on the rack under the finger, or the
   * square under the tile's middle.
   * @param {number} x @param {number} y @param {number} middleX @param {number} middleY @returns {Target | null}
   */
  function target(x, y, middleX, middleY) {
    for (const node of [...document.elementsFromPoint(x, y).filter((n) => rack.contains(n)), ...document.elementsFromPoint(middleX, middleY)]) {
      const cell = node.closest("[data-square]");
      if (cell instanceof HTMLElement && grid.contains(cell)) {
        const square = Number(cell.dataset.square);
        return on.free(square) ? { node: cell, to: { square } } : null;
      }
      if (rack.contains(node)) {
        const slots = [...rack.children], rtl = getComputedStyle(rack).direction === "rtl";
        const place = slots.findIndex((n) => {
          const box = n.getBoundingClientRect(), middle = box.x + box.width / 2;
          return y < box.bottom && (rtl ? x > middle : x < middle);
        });
        return { node: rack, to: { place: place < 0 ? slots.length : place } };
      }
    }
    return null;
  }

  return {
    /** dragged reports whether the current click ends a drag. */
    dragged: () => dragged,
    /** dragging reports whether a tile is being held. */
    dragging: () => drag !== null,
  };
}
