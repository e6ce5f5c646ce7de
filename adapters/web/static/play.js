// @ts-check
// A player's actions at a board: a state, and functions that return the next one. This file
// draws nothing, sends no requests, and reads no clock.
//
// Tiles are written as the host writes them: "A", "CH", "?" for a blank, "?A" for a blank
// played as A. Squares are numbered row by row from 0.

import { say, list } from "./say.js";

/** points returns a number of points in words. */
export const points = (/** @type {number} */ n) => say("{n, plural, one {# point} other {# points}}", { n });

/**
 * @typedef {{ text: string, value: number }} Letter
 * @typedef {{ word: string, squares: number[], letters: string[], score: number }} Cover
 * @typedef {{ squares?: number[], letters: string[], score?: number }} Submitted
 * @typedef {{ rack: string[], lays: string, turn: boolean, exchange: number, pass?: boolean, hints?: boolean, seat?: number, draws?: boolean, covers?: Cover[], submitted?: Submitted, notes?: string[], tries?: boolean }} Own
 * @typedef {{ table: number, number: number, size: number, squares: string, tiles: Letter[], board: string[], printed?: string[], own?: Own }} View
 *
 * @typedef {{ id: number, text: string }} Tile     a tile of the rack, laid or not
 * @typedef {{ id: number, square: number, as?: string }} Laid
 * @typedef {"across" | "down" | ""} Arrow
 *
 * @typedef {Object} State
 * @property {View} view
 * @property {Tile[]} rack  the player's tiles, in their own order
 * @property {Laid[]} laid  the draft, in the order of laying
 * @property {{ square: number, arrow: Arrow, again?: boolean } | null} cursor  again: whether the arrow has been turned
 * @property {number} held  the tile for the next square; 0 means none
 * @property {{ id: number, square: number, along: boolean } | null} asking  the blank whose letter is being chosen
 * @property {"lay" | "exchange"} mode
 * @property {number[]} picked  tiles to exchange, or squares to take tiles from
 * @property {number} draw  number of vowels to draw; -1 means as usual
 * @property {string} note  message about the last action
 * @property {number} arrived  time of the last news that moved the board under the finger
 * @property {{ keys: string, square: number } | null} typed  the characters typed so far of a tile with several
 * @property {Arrow} arrow  the last direction of writing
 */

/**
 * begin returns the first state of a player; order is their rack's previous order.
 * @param {View} view @param {string[]} [order] @returns {State}
 */
export function begin(view, order = []) {
  const left = [...(view.own?.rack ?? [])];
  const known = order.filter((text) => take(left, text));
  return {
    view, rack: [...known, ...left].map((text, i) => ({ id: i + 1, text })), laid: [], cursor: null, held: 0, asking: null,
    mode: "lay", picked: [], draw: -1, note: "", arrived: -Infinity, typed: null, arrow: "across",
  };
}

/** take removes an item and reports whether it was there. @param {string[]} list @param {string} item */
function take(list, item) {
  const i = list.indexOf(item);
  if (i >= 0) list.splice(i, 1);
  return i >= 0;
}

/**
 * update applies the table's current state. The draft stays if its squares are free and its tiles
 * are still on the rack.
 * @param {State} s @param {View} view @param {number} now  milliseconds @returns {State}
 */
export function update(s, view, now) {
  if (view.table !== s.view.table || view.size !== s.view.size) return begin(view);
  if (view.number < s.view.number) return s;
  const left = [...(view.own?.rack ?? [])];
  // Tiles that were played are gone, even if there are equal ones now.
  const played = new Set(s.laid.filter((l) => view.board[l.square] === face(s, l)).map((l) => l.id));
  const rack = s.rack.filter((t) => !played.has(t.id)).filter((t) => take(left, t.text));
  let next = Math.max(0, ...s.rack.map((t) => t.id));
  // New tiles take the places of the old ones.
  const all = [];
  for (const t of s.rack) {
    if (rack.includes(t)) all.push(t);
    else if (left.length) all.push({ id: ++next, text: /** @type {string} */ (left.shift()) });
  }
  all.push(...left.map((text) => ({ id: ++next, text })));

  const here = new Set(all.map((t) => t.id));
  const laid = s.laid.filter((l) => here.has(l.id) && view.board[l.square] === "");
  const back = s.laid.filter((l) => !played.has(l.id) && !laid.includes(l));
  const taken = s.view.own?.lays === "remove" ? s.picked.filter((sq) => view.board[sq]) : s.picked.filter((id) => here.has(id));
  return {
    ...s, view, rack: all, laid, picked: taken,
    held: here.has(s.held) ? s.held : 0,
    asking: s.asking && here.has(s.asking.id) && view.board[s.asking.square] === "" ? s.asking : null,
    mode: s.mode === "exchange" && view.own?.turn && view.own.exchange > 0 && taken.length === s.picked.length ? "exchange" : "lay",
    cursor: s.cursor && played.size === 0 ? s.cursor : null,
    note: back.length ? say("{tiles} came back to your rack: another tile lies there now.", { tiles: list(back.map((l) => face(s, l).replace("?", ""))) }) : "",
    arrived: view.number === s.view.number ? s.arrived : now,
    typed: null, draw: view.number === s.view.number ? s.draw : -1,
  };
}


/** face returns the text that a laid tile shows. @param {State} s @param {Laid} l */
const face = (s, l) => (text(s, l.id) === "?" ? "?" + (l.as ?? "") : text(s, l.id));

const text = (/** @type {State} */ s, /** @type {number} */ id) => s.rack.find((t) => t.id === id)?.text ?? "";

/** at returns the tile on a square, from the board or the draft, or "". */
export function at(/** @type {State} */ s, /** @type {number} */ square) {
  const own = s.laid.find((l) => l.square === square);
  return own ? face(s, own) : (s.view.board[square] ?? "");
}

/** inHand returns the rack's tiles that aren't laid. @param {State} s */
export const inHand = (s) => s.rack.filter((t) => !s.laid.some((l) => l.id === t.id));

/** value returns a tile's points. @param {View} view @param {string} tile */
export const value = (view, tile) => view.tiles.find((l) => l.text === (tile.startsWith("?") ? "?" : tile))?.value ?? 0;

/** letter returns a tile's letter without the mark of a blank. */
export const letter = (/** @type {string} */ tile) => (tile.length > 1 && tile.startsWith("?") ? tile.slice(1) : tile);

const column = (/** @type {number} */ n) => String.fromCharCode(65 + n);

/** name returns a square's name: "8H", or "H8" when read down. */
export function name(/** @type {View} */ view, /** @type {number} */ square, /** @type {Arrow} */ arrow = "across") {
  const row = String(Math.floor(square / view.size) + 1), col = column(square % view.size);
  return arrow === "down" ? col + row : row + col;
}

/** @type {Record<string, string>} */
const premiums = { d: say("double letter"), t: say("triple letter"), D: say("double word"), T: say("triple word"), "*": say("start, double word"), "+": say("start") };

/** describe returns a square in words: "8H, double word, empty". */
export function describe(/** @type {State} */ s, /** @type {number} */ square) {
  const tile = at(s, square), parts = [name(s.view, square)];
  if (tile) {
    const n = value(s.view, tile);
    parts.push(letter(tile), ...(tile.startsWith("?") ? [say("a blank")] : []), points(n));
    if (s.laid.some((l) => l.square === square)) parts.push(say("not played yet"));
    if (s.view.own?.lays === "remove" && s.picked.includes(square)) parts.push(say("chosen"));
  } else {
    const premium = premiums[s.view.squares[square]];
    if (premium) parts.push(premium);
    parts.push(s.view.printed?.[square] ? say("{letter} is printed", { letter: s.view.printed[square] }) : say("empty"));
  }
  return parts.join(", ");
}

// ---- walking

/** step returns the next square along an arrow, or -1 at the edge. */
function step(/** @type {View} */ view, /** @type {number} */ square, /** @type {Arrow} */ arrow, by = 1) {
  const row = Math.floor(square / view.size) + (arrow === "down" ? by : 0), col = (square % view.size) + (arrow === "across" ? by : 0);
  return row < 0 || col < 0 || row >= view.size || col >= view.size ? -1 : row * view.size + col;
}

/** free returns the first square without a tile along an arrow, or -1 if there is none. */
function free(/** @type {State} */ s, /** @type {number} */ square, /** @type {Arrow} */ arrow) {
  let sq = square;
  while (sq >= 0 && at(s, sq)) sq = arrow ? step(s.view, sq, arrow) : -1;
  return sq;
}

const can = (/** @type {State} */ s) => Boolean(s.view.own) && s.mode === "lay" && s.view.own?.lays !== "remove" && !s.view.own?.covers;

/** guess returns the likely direction of a word at a square. */
function guess(/** @type {State} */ s, /** @type {number} */ square) {
  const beside = (/** @type {Arrow} */ a) => [1, -1].some((by) => {
    const sq = step(s.view, square, a, by);
    return sq >= 0 && s.view.board[sq];
  });
  if (beside("across") !== beside("down")) return beside("across") ? "down" : "across";
  return s.arrow;
}

/** @param {Arrow} arrow @returns {Arrow} */
const other = (arrow) => (arrow === "across" ? "down" : "across");

/**
 * turned returns the state with the next arrow: the likely one, the other one, none.
 * @param {State} s @param {number} square @returns {State}
 */
function turned(s, square) {
  if (s.cursor?.square !== square) {
    const arrow = /** @type {Arrow} */ (guess(s, square));
    return { ...s, cursor: { square, arrow }, arrow, note: "" };
  }
  if (s.cursor.again) return { ...s, cursor: null, note: "" };
  const arrow = other(s.cursor.arrow);
  return { ...s, cursor: { square, arrow, again: true }, arrow, note: "" };
}

/** go moves the cursor by an arrow key. @param {State} s @param {number} rows @param {number} cols @returns {State} */
export function go(s, rows, cols) {
  const start = s.view.squares.search(/[*+]/);
  if (!s.cursor) return { ...s, cursor: { square: Math.max(0, start), arrow: s.arrow || "across" }, note: "", typed: null };
  const sq = step(s.view, rows ? step(s.view, s.cursor.square, "down", rows) : s.cursor.square, "across", cols);
  return sq < 0 || (rows && step(s.view, s.cursor.square, "down", rows) < 0) ? s : { ...s, cursor: { ...s.cursor, square: sq }, note: "", typed: null };
}

/** look moves the cursor to a square that gets the focus. @param {State} s @param {number} square @returns {State} */
export const look = (s, square) => (s.cursor?.square === square ? s : { ...s, cursor: { square, arrow: s.cursor?.arrow ?? s.arrow }, typed: null });

/** space turns the arrow. @param {State} s @returns {State} */
export const space = (s) => (s.cursor ? { ...s, cursor: { ...s.cursor, arrow: other(s.cursor.arrow) }, arrow: other(s.cursor.arrow), note: "", typed: null } : s);

// ---- laying and taking back

/** lay puts a tile of the rack or draft on a square. @param {State} s @param {number} id @param {number} square @param {string} [as] @returns {State} */
function lay(s, id, square, as) {
  const was = s.laid.find((l) => l.id === id), there = s.laid.find((l) => l.square === square);
  const laid = s.laid.filter((l) => l !== was && l !== there);
  if (there && was && there !== was) laid.push({ ...there, square: was.square }); // swap the two tiles
  laid.push({ id, square, ...(as ?? was?.as ? { as: as ?? was?.as } : {}) });
  return { ...s, laid, held: 0, note: "", typed: null };
}

/** put lays a tile, or first asks for the letter of a blank. @param {State} s @param {number} id @param {number} square @param {boolean} along @returns {State} */
function put(s, id, square, along) {
  if (text(s, id) === "?" && !s.laid.some((l) => l.id === id)) return { ...s, asking: { id, square, along }, held: 0, note: "" };
  const next = lay(s, id, square);
  return along ? onward(next, square) : next;
}

/** onward moves the cursor past a square that now has a tile. @param {State} s @param {number} square @returns {State} */
function onward(s, square) {
  if (!s.cursor?.arrow) return s;
  const next = step(s.view, square, s.cursor.arrow);
  return next < 0 ? s : { ...s, cursor: { square: next, arrow: s.cursor.arrow } };
}

/** choose sets the blank's letter. @param {State} s @param {string} as @returns {State} */
export function choose(s, as) {
  if (!s.asking) return s;
  const { id, square, along } = s.asking;
  const next = lay({ ...s, asking: null }, id, square, as);
  return along ? onward(next, square) : next;
}

/** letters returns the letters that a blank can be. @param {View} view */
export const letters = (view) => view.tiles.map((l) => l.text).filter((t) => t !== "?");

/** tapSquare handles a tap or click on a square. @param {State} s @param {number} square @returns {State} */
export function tapSquare(s, square) {
  const own = s.view.own;
  if (!own) return s;
  if (own.lays === "remove") return pickSquare(s, square);
  if (own.covers) return cover(s, square);
  if (!can(s)) return s;
  const mine = s.laid.find((l) => l.square === square);
  if (s.held && !s.view.board[square]) return mine?.id === s.held ? recallOne(s, s.held) : put(s, s.held, square, false);
  if (mine) return { ...s, held: mine.id, cursor: null, note: "" };
  return { ...turned(s, square), held: 0, typed: null };
}

/** tapTile handles a tap on a tile of the rack. @param {State} s @param {number} id @returns {State} */
export function tapTile(s, id) {
  if (s.mode === "exchange") {
    if (s.picked.includes(id)) return { ...s, picked: s.picked.filter((p) => p !== id), note: "" };
    if (s.picked.length >= (s.view.own?.exchange ?? 0)) return { ...s, note: say("The bag only has enough tiles for {n}.", { n: s.picked.length }) };
    return { ...s, picked: [...s.picked, id], note: "" };
  }
  if (!can(s) || s.laid.some((l) => l.id === id)) return s;
  if (s.cursor) {
    const sq = free(s, s.cursor.square, s.cursor.arrow);
    return sq < 0 ? { ...s, note: say("No empty square along the arrow.") } : put(s, id, sq, true);
  }
  return { ...s, held: s.held === id ? 0 : id, note: "" };
}

/** recallOne takes a tile back. @param {State} s @param {number} id @returns {State} */
const recallOne = (s, id) => ({ ...s, laid: s.laid.filter((l) => l.id !== id), held: s.held === id ? 0 : s.held, note: "", typed: null });

/** recall takes all tiles back and ends the current mode. @param {State} s @returns {State} */
export const recall = (s) => ({ ...s, laid: [], held: 0, asking: null, cursor: s.laid.length || s.held || s.asking ? s.cursor : null, mode: "lay", picked: [], note: "", typed: null });

/**
 * drop ends dragging a tile: on a square, before a place on the rack, or elsewhere (null), which
 * takes it back.
 * @param {State} s @param {number} id @param {{ square: number } | { place: number } | null} to @returns {State}
 */
export function drop(s, id, to) {
  if (to && "place" in to) {
    const moved = s.rack.filter((t) => t.id === id), before = s.rack.slice(0, to.place).filter((t) => t.id !== id), after = s.rack.slice(to.place).filter((t) => t.id !== id);
    return { ...recallOne(s, id), rack: [...before, ...moved, ...after] };
  }
  if (!to || !can(s) || s.view.board[to.square]) return recallOne(s, id);
  return { ...put({ ...s, cursor: null }, id, to.square, false), held: 0 };
}

/**
 * type lays the tile for a key along the arrow, or a blank as that tile.
 * @param {State} s @param {string} key @param {boolean} [blank] @returns {State}
 */
export function type(s, key, blank = false) {
  if (s.asking) {
    const as = spelled(s.view, key);
    return as ? choose(s, as) : s;
  }
  if (!can(s) || !s.cursor) return s;
  const hand = inHand(s);
  const keys = upper(s.view, key);
  // The rest of a tile with several characters.
  if (s.typed && !blank) {
    const typed = { keys: s.typed.keys + keys, square: s.typed.square }, before = s.laid.find((l) => l.square === typed.square);
    if (before && text(s, before.id).startsWith(typed.keys)) return { ...s, typed };
    const longer = hand.find((t) => t.text === typed.keys) ?? (hand.every((t) => t.text !== keys) && hand.find((t) => t.text.startsWith(typed.keys)));
    if (before && longer && text(s, before.id) !== "?") return { ...lay(recallOne(s, before.id), longer.id, before.square), typed };
  }
  if (!blank && s.view.board[s.cursor.square] && letter(s.view.board[s.cursor.square]) === keys) {
    return { ...onward(s, s.cursor.square), note: "", typed: null }; // the letter is there already
  }
  const sq = free(s, s.cursor.square, s.cursor.arrow);
  if (blank) {
    const as = spelled(s.view, key), tile = hand.find((t) => t.text === "?");
    if (!as) return s;
    if (!tile) return { ...s, note: say("You have no blank.") };
    return sq < 0 ? full(s) : onward(lay(s, tile.id, sq, as), sq);
  }
  const tile = hand.find((t) => t.text === keys) ?? hand.find((t) => t.text !== "?" && t.text.startsWith(keys));
  if (!tile) {
    if (keys === "?") return { ...s, note: say("You have no blank.") };
    if (!spelled(s.view, key)) return s;
    return { ...s, note: hand.some((t) => t.text === "?") ? say("You have no {letter}. Type {key} and {letter} to play your blank.", { letter: keys, key: "?" }) : say("You have no {letter}.", { letter: keys }) };
  }
  if (sq < 0) return full(s);
  if (keys === "?") return put(s, tile.id, sq, true);
  return { ...onward(lay(s, tile.id, sq), sq), typed: { keys, square: sq } };
}

const full = (/** @type {State} */ s) => ({ ...s, note: say("No empty square along the arrow.") });

/** upper returns a key in the form of the tiles' letters. Turkish has two letters i, Hebrew five final letters, and accents that no tile has are dropped. */
function upper(/** @type {View} */ view, /** @type {string} */ key) {
  const on = (/** @type {string} */ c) => view.tiles.some((l) => l.text.startsWith(c));
  const big = on("İ") ? key.toLocaleUpperCase("tr") : key === "ß" ? key : key.toUpperCase();
  if (on(big)) return big;
  if (key === "." || key === "-") return "·";
  const bare = "כמנפצ"["ךםןףץ".indexOf(key)] ?? big.normalize("NFD").replace(/\p{Mn}/gu, "");
  return on(bare) ? bare : big;
}

/** spelled returns the letter for a key, or "". */
const spelled = (/** @type {View} */ view, /** @type {string} */ key) => letters(view).find((l) => l === upper(view, key)) ?? "";

/** back takes back the tile before the cursor, or else the last one laid. @param {State} s @returns {State} */
export function back(s) {
  if (s.asking) return { ...s, asking: null };
  let gone = s.laid.at(-1);
  if (s.cursor?.arrow) {
    for (let sq = s.cursor.square; sq >= 0 && at(s, sq) + (sq === s.cursor.square ? "." : ""); sq = step(s.view, sq, s.cursor.arrow, -1)) {
      const own = s.laid.find((l) => l.square === sq);
      if (own) {
        gone = own;
        break;
      }
    }
  }
  if (!gone) return s;
  return { ...recallOne(s, gone.id), cursor: s.cursor && { ...s.cursor, square: gone.square } };
}

// ---- the rack

/** shuffle reorders the rack; random is like Math.random. @param {State} s @param {() => number} random @returns {State} */
export function shuffle(s, random) {
  const rack = [...s.rack];
  for (let i = rack.length - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1));
    [rack[i], rack[j]] = [rack[j], rack[i]];
  }
  return { ...s, rack, note: "" };
}

/** sort orders the rack alphabetically, blanks last. @param {State} s @returns {State} */
export function sort(s) {
  const rank = (/** @type {Tile} */ t) => (t.text === "?" ? Infinity : s.view.tiles.findIndex((l) => l.text === t.text));
  return { ...s, rack: [...s.rack].sort((a, b) => rank(a) - rank(b) || 0), note: "" };
}

/** startExchange begins the choice of tiles to put back. @param {State} s @returns {State} */
export const startExchange = (s) => ({ ...recall(s), cursor: null, mode: "exchange" });

// ---- other ways to play

/** pickSquare selects or deselects a tile to take off the board. @param {State} s @param {number} square @returns {State} */
function pickSquare(s, square) {
  if (!s.view.board[square]) return { ...s, note: "" };
  if (s.picked.includes(square)) return { ...s, picked: s.picked.filter((p) => p !== square), note: "" };
  if (s.picked.length >= 6) return { ...s, note: say("You can take up to six tiles at a time.") };
  return { ...s, picked: [...s.picked, square], note: "" };
}

/** cover covers printed letters: each tap shows the next way, and finally none. @param {State} s @param {number} square @returns {State} */
function cover(s, square) {
  const ways = (s.view.own?.covers ?? []).filter((c) => c.squares.includes(square)).sort((a, b) => b.score - a.score || b.squares.length - a.squares.length);
  if (!ways.length) {
    return { ...s, laid: [], note: !s.view.printed?.[square] ? "" : s.view.board[square] ? say("That letter is covered.") : say("None of your tiles can go there now.") };
  }
  const next = ways[ways.indexOf(/** @type {Cover} */ (covering(s))) + 1];
  if (!next) return { ...s, laid: [], note: "" };
  /** @type {Laid[]} */
  const laid = [];
  for (const [i, sq] of next.squares.entries()) {
    const tile = s.rack.find((t) => t.text === letter(next.letters[i]) && !laid.some((l) => l.id === t.id)) ?? s.rack.find((t) => t.text === "?" && !laid.some((l) => l.id === t.id));
    if (tile) laid.push({ id: tile.id, square: sq, ...(tile.text === "?" ? { as: letter(next.letters[i]) } : {}) });
  }
  return { ...s, laid, note: next.score ? `${next.word}: ${points(next.score)}` : next.word };
}

/** covering returns the printed word whose letters the draft covers. @param {State} s */
const covering = (s) => s.view.own?.covers?.find((c) => c.squares.join() === s.laid.map((l) => l.square).join());

// ---- what it comes to

/**
 * word returns the draft as the host reads a play, or the reason why it isn't one.
 * @param {State} s @returns {{ word: string, at: string, squares: number[] } | { problem: string }}
 */
export function word(s) {
  if (!s.laid.length) return { problem: "" };
  const { size } = s.view, squares = s.laid.map((l) => l.square).sort((a, b) => a - b);
  const rows = new Set(squares.map((sq) => Math.floor(sq / size))), cols = new Set(squares.map((sq) => sq % size));
  if (rows.size > 1 && cols.size > 1) return { problem: say("The tiles must lie in one line.") };
  const run = (/** @type {Arrow} */ arrow) => {
    let first = squares[0];
    for (let sq = step(s.view, first, arrow, -1); sq >= 0 && at(s, sq); sq = step(s.view, sq, arrow, -1)) first = sq;
    const all = [];
    for (let sq = first; sq >= 0 && at(s, sq); sq = step(s.view, sq, arrow)) all.push(sq);
    return all;
  };
  /** @type {Arrow} */
  let arrow = rows.size > 1 ? "down" : "across";
  if (squares.length === 1 && run("across").length === 1 && run("down").length > 1) arrow = "down";
  const all = run(arrow);
  if (!squares.every((sq) => all.includes(sq))) return { problem: say("There is a gap between the tiles.") };
  const spell = (/** @type {number} */ sq) => {
    const own = s.laid.find((l) => l.square === sq);
    if (!own) return ".";
    const tile = face(s, own), one = letter(tile);
    return (tile.startsWith("?") ? "?" : "") + ([...one].length > 1 ? `[${one}]` : one);
  };
  return { word: all.map(spell).join(""), at: name(s.view, all[0], arrow), squares: all };
}

/** begun returns a hint if the word has only its first letter, which isn't an error yet. @param {State} s */
export function begun(s) {
  const w = can(s) ? word(s) : { problem: "" };
  return "word" in w && w.squares.length < 2 ? say("Put a second tile beside it.") : "";
}

/** draftKey returns the same key for drafts with the same score, or "" if there is none to request. @param {State} s */
export function draftKey(s) {
  if (s.view.own?.lays === "remove") return s.picked.length ? `${s.view.number} ${taken(s)}` : "";
  if (!can(s) || begun(s)) return "";
  const w = word(s);
  return "word" in w ? `${s.view.number} ${w.word} ${w.at}` : "";
}

/** settle is how long Play is ignored after the board has moved, in milliseconds. */
export const settle = 400;

/**
 * send returns the command for the draft, or the reason why there is none.
 * @param {State} s @param {number} now  milliseconds @returns {{ command: string, args: Record<string, string> } | { problem: string }}
 */
export function send(s, now) {
  if (now - s.arrived < settle) return { problem: "" };
  if (s.mode === "exchange") {
    if (!s.picked.length) return { problem: say("Choose the tiles to put back.") };
    const tiles = s.picked.map((id) => text(s, id)).map((t) => ([...t].length > 1 ? `[${t}]` : t)).join("");
    return { command: "exchange", args: { tiles } };
  }
  if (s.view.own?.lays === "remove") {
    if (!s.picked.length) return { problem: say("Tap the tiles to take off the board.") };
    return { command: "remove", args: { squares: taken(s) } };
  }
  if (s.view.own?.covers) {
    const c = covering(s);
    return c ? { command: "cover", args: { word: c.word, tiles: String(c.squares.length) } } : { problem: say("Tap a printed letter that one of your tiles can cover.") };
  }
  const w = word(s);
  if ("problem" in w) return { problem: w.problem || say("Lay a word first.") };
  if (begun(s)) return { problem: begun(s) };
  return { command: s.view.own?.lays ?? "play", args: { word: w.word, at: w.at, ...drawing(s) } };
}

/** @returns {Record<string, string>} */
const drawing = (/** @type {State} */ s) => (s.draw >= 0 ? { draw: String(s.draw) } : {});

/** taken returns the selected squares as the host reads them. @param {State} s */
export const taken = (s) => s.picked.map((sq) => name(s.view, sq)).join(" ");

/** worth returns the points for taking the selected tiles. @param {State} s */
export const worth = (s) => s.picked.reduce((sum, sq) => sum + value(s.view, s.view.board[sq] ?? ""), 0);

// ---- keeping it

/** keep returns the part of the state to keep over a reload. @param {State} s */
export const keep = (s) => ({ rack: s.rack.map((t) => t.text), laid: s.laid.map((l) => ({ text: text(s, l.id), square: l.square, as: l.as })) });

/**
 * restore returns a state with the kept part applied.
 * @param {View} view @param {ReturnType<typeof keep> | null} kept @returns {State}
 */
export function restore(view, kept) {
  let s = begin(view, kept?.rack);
  if (!can(s)) return s;
  for (const l of kept?.laid ?? []) {
    const tile = inHand(s).find((t) => t.text === l.text);
    if (tile && view.board[l.square] === "" && !at(s, l.square)) s = lay(s, tile.id, l.square, l.as);
  }
  return s;
}

// ---- looking back

/**
 * after returns the board after the first n moves of a game.
 * @param {{ size: number, began?: string[], turns: { changes?: { square: number, tile: string }[] }[] }} game @param {number} n
 */
export function after(game, n) {
  const board = game.began ? [...game.began] : Array(game.size * game.size).fill("");
  for (const m of game.turns.slice(0, n)) for (const c of m.changes ?? []) board[c.square] = c.tile;
  return board;
}

/** withPlay returns a board with a play on it. @param {string[]} board @param {{ squares?: number[], tiles?: string[] }} play */
export function withPlay(board, { squares = [], tiles = [] }) {
  const all = [...board];
  squares.forEach((square, i) => (all[square] = tiles[i]));
  return all;
}
