// Positions as text in CGP, the format that the host reads.

/** tile returns a tile in CGP. @param {string} t */
function tile(t) {
  const blank = t.length > 1 && t.startsWith("?"), one = blank ? t.slice(1).toLowerCase() : t;
  return [...one].length > 1 ? `[${one}]` : one;
}

/** rows returns a board in CGP. @param {string[]} board @param {number} size */
function rows(board, size) {
  return Array.from({ length: size }, (_, r) => {
    let row = "", empty = 0;
    for (const t of board.slice(r * size, (r + 1) * size)) {
      if (!t) {
        empty++;
        continue;
      }
      row += (empty || "") + tile(t);
      empty = 0;
    }
    return row + (empty || "");
  }).join("/");
}

/** cgp returns a position in CGP. @param {{ board: string[], size: number, racks: string[][], scores: number[] }} p */
export const cgp = ({ board, size, racks, scores }) => [rows(board, size), racks.map((r) => r.map(tile).join("")).join("/"), scores.join("/"), "0"].join(" ");
