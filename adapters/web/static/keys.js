// The effects of keys at the board.

import * as p from "./play.js";

/**
 * pressed returns the state after a key, "play" if the key plays, or null if it has no effect here.
 * square is the focused square, or -1 if a tile of the rack is focused. left is -1 if words are
 * read from the right, else 1.
 * @param {State} s @param {{ key: string, shiftKey: boolean }} e @param {number} square @param {1 | -1} left
 * @returns {State | "play" | null}
 */
export function pressed(s, { key, shiftKey }, square, left) {
  const types = [...key].length === 1 && key !== " ", onSquare = square >= 0;
  if (s.asking) return key === "Backspace" ? p.back(s) : types ? p.type(s, key) : null;
  const { size, own } = s.view;
  const steps = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -left], ArrowRight: [0, left], Home: [0, -1], End: [0, 1] }[key];
  if (steps && onSquare) {
    let next = p.look(s, square);
    for (let n = key.startsWith("Arrow") ? 1 : size; n > 0; n--) next = p.go(next, steps[0], steps[1]);
    return next;
  }
  if (key === "Enter" && onSquare) return s.held || (!s.laid.length && !s.picked.length) ? p.tapSquare(s, square) : "play";
  if (key === " " && onSquare) return own?.lays === "remove" || own?.covers ? p.tapSquare(s, square) : p.space(p.look(s, square));
  if (key === "Backspace") return p.back(s);
  const from = onSquare ? square : s.cursor?.square ?? -1;
  return types && from >= 0 ? p.type(p.look(s, from), key, shiftKey && key.toLowerCase() !== key.toUpperCase()) : null;
}

/** escapes reports whether the Escape key has anything to leave. @param {State} s */
export const escapes = (s) => s.laid.length > 0 || s.asking !== null || s.held > 0 || s.mode !== "lay" || s.cursor !== null;

/**
 * travelled returns the number of moves shown after a key while looking back; -1 means now.
 * @param {string} key @param {number} back @param {number} all @returns {number | undefined}
 */
export function travelled(key, back, all) {
  return { ArrowLeft: back < 0 ? all - 1 : back - 1, ArrowRight: back < 0 ? -1 : back + 1, Home: 0, End: -1, Escape: -1 }[key];
}
