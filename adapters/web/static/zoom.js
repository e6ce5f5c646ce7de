// Zooming in on the squares where tiles are laid, automatically or by two fingers.

const finger = 38; // side of a square large enough for a finger, in pixels

/** zooms makes a board zoomable and movable in its field. @param {HTMLElement} field @param {HTMLElement} grid */
export function zooms(field, grid) {
  let scale = 1, x = 0, y = 0;
  let key = ""; // of the squares shown last
  let moved = false; // whether the following click ends a move
  /** @type {Map<number, { x: number, y: number }>} */
  const fingers = new Map();

  const overflows = () => grid.offsetWidth * scale > field.clientWidth + 1 || grid.offsetHeight * scale > field.clientHeight + 1;

  /** place positions the board so that it fills as much of its field as possible. @param {number} to @param {number} left @param {number} top */
  function place(to, left, top) {
    const put = (/** @type {number} */ at, /** @type {number} */ room, /** @type {number} */ side, /** @type {number} */ from) => (side <= room ? (room - side) / 2 - from : Math.min(-from, Math.max(room - side - from, at)));
    scale = Math.min(Math.max(1, to), 6);
    x = put(left, field.clientWidth, grid.offsetWidth * scale, grid.offsetLeft);
    y = put(top, field.clientHeight, grid.offsetHeight * scale, grid.offsetTop);
    const still = scale === 1 && Math.abs(x) < 1 && Math.abs(y) < 1;
    grid.style.setProperty("transform", still ? "none" : `translate(${x}px, ${y}px) scale(${scale})`);
    field.classList.toggle("zoomed", overflows());
  }

  /** around enlarges squares enough and brings them into view. @param {HTMLElement[]} cells @param {number} side */
  function around(cells, side) {
    const to = Math.max(1, side / (cells[0]?.offsetWidth || side));
    const box = (/** @type {HTMLElement[]} */ all) => ({ left: Math.min(...all.map((c) => c.offsetLeft)), right: Math.max(...all.map((c) => c.offsetLeft + c.offsetWidth)), top: Math.min(...all.map((c) => c.offsetTop)), bottom: Math.max(...all.map((c) => c.offsetTop + c.offsetHeight)) });
    let { left, right, top, bottom } = box(cells);
    if ((right - left) * to > field.clientWidth || (bottom - top) * to > field.clientHeight) ({ left, right, top, bottom } = box(cells.slice(-1))); // only the last one
    // Don't move if they are in view with a square to spare.
    const spare = cells[0].offsetWidth * to;
    const inside = scale === to && grid.offsetLeft + x + left * to >= spare && grid.offsetLeft + x + right * to <= field.clientWidth - spare && grid.offsetTop + y + top * to >= spare && grid.offsetTop + y + bottom * to <= field.clientHeight - spare;
    if (!inside) place(to, field.clientWidth / 2 - ((left + right) / 2) * to - grid.offsetLeft, field.clientHeight / 2 - ((top + bottom) / 2) * to - grid.offsetTop);
  }

  field.addEventListener("pointerdown", (e) => {
    moved = false;
    const mine = /** @type {HTMLElement} */ (e.target).closest(".laid");
    if (e.pointerType !== "mouse" && !mine) fingers.set(e.pointerId, { x: e.clientX, y: e.clientY });
  });
  addEventListener("pointermove", (e) => {
    const was = fingers.get(e.pointerId);
    if (!was) return;
    const now = { x: e.clientX, y: e.clientY };
    const [other] = [...fingers].filter(([id]) => id !== e.pointerId).map(([, at]) => at);
    if (other) {
      const by = Math.hypot(now.x - other.x, now.y - other.y) / Math.max(1, Math.hypot(was.x - other.x, was.y - other.y));
      const { left, top } = field.getBoundingClientRect(), midX = (now.x + other.x) / 2 - left - grid.offsetLeft, midY = (now.y + other.y) / 2 - top - grid.offsetTop;
      const to = Math.min(Math.max(1, scale * by), 6);
      place(to, midX - ((midX - x) * to) / scale, midY - ((midY - y) * to) / scale);
    } else if (overflows() && (moved || Math.hypot(now.x - was.x, now.y - was.y) > 8)) place(scale, x + now.x - was.x, y + now.y - was.y);
    else return;
    moved = true;
    grid.classList.add("moving");
    fingers.set(e.pointerId, now);
  });
  for (const end of ["pointerup", "pointercancel"]) addEventListener(end, (e) => {
    fingers.delete(/** @type {PointerEvent} */ (e).pointerId);
    if (!fingers.size) grid.classList.remove("moving");
  });

  return {
    /** moved reports whether the current click ends a move of the board. */
    moved: () => moved,
    /**
     * show zooms in on squares if a finger would miss them. Without squares it shows the whole
     * board, or if that doesn't fit, the place of the last play.
     * @param {HTMLElement[]} cells @param {HTMLElement | undefined} last @param {boolean} again
     */
    show(cells, last, again = false) {
      const next = cells.map((c) => c.dataset.square).join() || `whole ${last?.dataset.square}`;
      if (next === key && !again) return;
      key = next;
      if (cells.length) around(cells, finger);
      else if (last && (grid.offsetWidth > field.clientWidth + 1 || grid.offsetHeight > field.clientHeight + 1)) around([last], last.offsetWidth);
      else place(1, 0, 0);
    },
  };
}
