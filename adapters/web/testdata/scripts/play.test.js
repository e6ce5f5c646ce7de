// Tests of static/play.js, for node's test runner. TestScripts in Go runs
// them.

import test from "node:test";
import assert from "node:assert/strict";
import * as p from "../../static/play.js";

const english = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ?"].map((text, i) => ({ text, value: i === 26 ? 0 : (i % 5) + 1 }));
const plain = Array(15).fill(".".repeat(15)).join("");
const squares = plain.slice(0, 112) + "*" + plain.slice(113);

// table returns a view with tiles on the board by square ("8H": "A") and a rack.
function table(lies, rack, own = {}, more = {}) {
  const view = {
    table: 1, number: 10, size: 15, squares, tiles: english, board: Array(225).fill(""), ...more,
    own: { rack: [...rack], lays: "play", turn: true, exchange: 7, ...own },
  };
  for (const [at, tile] of Object.entries(lies)) view.board[sq(at)] = tile;
  return view;
}

const sq = (at) => (parseInt(at, 10) - 1) * 15 + at.charCodeAt(at.length - 1) - 65;
const held = (s, text) => p.inHand(s).find((t) => t.text === text).id;
const tiles = (s) => p.inHand(s).map((t) => t.text).join("");
const taps = (s, word) => [...word].reduce((s, c) => p.tapTile(s, held(s, c)), s);
const keys = (s, word) => [...word].reduce((s, c) => p.type(s, c), s);
const says = (s) => { const w = p.word(s); return "word" in w ? `${w.word} ${w.at}` : w.problem; };

test("a tile, then a square", () => {
  let s = p.begin(table({}, "HORNAEI"));
  s = p.tapSquare(p.tapTile(s, held(s, "H")), sq("8H"));
  s = p.tapSquare(p.tapTile(s, held(s, "O")), sq("9H"));
  assert.equal(says(s), "HO H8");
  assert.equal(s.cursor, null);
  assert.equal(tiles(s), "RNAEI");
});

test("five letters with a square and five tiles", () => {
  const s = taps(p.tapSquare(p.begin(table({}, "HORNSEI")), sq("8F")), "HORNS");
  assert.equal(says(s), "HORNS 8F");
});

test("a square turns the arrow: across, down, none", () => {
  let s = p.begin(table({}, "HORN"));
  s = p.tapSquare(s, sq("8H"));
  assert.equal(s.cursor.arrow, "across");
  s = p.tapSquare(s, sq("8H"));
  assert.equal(s.cursor.arrow, "down");
  s = p.tapSquare(s, sq("8H"));
  assert.equal(s.cursor, null);
});

test("beside a word the arrow crosses it first", () => {
  const s = p.begin(table({ "8G": "H", "8H": "O" }, "S"));
  assert.equal(p.tapSquare(s, sq("8I")).cursor.arrow, "down");
  assert.equal(p.tapSquare(s, sq("7H")).cursor.arrow, "across");
});

test("letters type over tiles that lie there", () => {
  const lies = { "8I": "R" };
  for (const typed of ["HON", "HORN"]) {
    let s = p.begin(table(lies, "HONRE"));
    s = p.tapSquare(s, sq("8G"));
    s = { ...s, cursor: { ...s.cursor, arrow: "across" } };
    s = keys(s, typed.toLowerCase());
    assert.equal(says(s), "HO.N 8G", typed);
  }
});

test("a letter that lacks is said, and a blank isn't spent unasked", () => {
  let s = p.tapSquare(p.begin(table({}, "HOR?")), sq("8H"));
  s = p.type(s, "q");
  assert.equal(s.laid.length, 0);
  assert.match(s.note, /no Q\. Type \? and Q/);
  s = p.type(s, "Q", true);
  assert.equal(says(s), "?Q 8H");
  assert.equal(p.at(s, sq("8H")), "?Q");
  assert.equal(p.describe(s, sq("8H")), "8H, Q, a blank, 0 points, not played yet");
});

test("a blank asks for its letter, by pointer and by key", () => {
  let s = p.tapSquare(p.begin(table({}, "A?")), sq("8H"));
  s = p.tapTile(s, held(s, "?"));
  assert.equal(s.laid.length, 0);
  assert.deepEqual(p.choose(s, "E").laid.map((l) => l.as), ["E"]);
  assert.equal(says(p.type(s, "e")), "?E 8H");
  assert.equal(p.back(s).asking, null);
  assert.equal(taps(p.choose(s, "E"), "A").laid.length, 2);
});

test("Backspace takes back what lies before the cursor", () => {
  let s = keys(p.tapSquare(p.begin(table({ "8H": "R" }, "HONE")), sq("7E")), "ho");
  assert.equal(tiles(s), "NE");
  s = p.back(s);
  assert.equal(tiles(s), "ONE");
  assert.equal(s.cursor.square, sq("7F"));
  s = p.back(p.back(s));
  assert.equal(s.laid.length, 0);
});

test("Backspace goes over tiles of the board", () => {
  let s = p.tapSquare(p.begin(table({ "8H": "R" }, "HON")), sq("8G"));
  s = { ...s, cursor: { square: sq("8G"), arrow: "across" } };
  s = p.back(keys(s, "on"));
  assert.equal(says(s), "O. 8G");
  assert.equal(p.back(s).laid.length, 0);
});

test("the arrow keys and space", () => {
  let s = p.go(p.begin(table({}, "A")), 0, 1);
  assert.equal(s.cursor.square, 112); // the first step goes to the start square
  s = p.go(p.go(s, 0, 1), -1, 0);
  assert.equal(p.name(s.view, s.cursor.square), "7I");
  assert.equal(p.space(s).cursor.arrow, "down");
  const corner = { ...s, cursor: { square: 0, arrow: "across" } };
  assert.equal(p.go(corner, 0, -1).cursor.square, 0);
  assert.equal(p.go(corner, -1, 0).cursor.square, 0);
});

test("dragging: to a square, onto another tile, back, to a place in the rack", () => {
  let s = p.begin(table({ "8H": "R" }, "ABC"));
  const [a, b, c] = s.rack.map((t) => t.id);
  s = p.drop(p.drop(s, a, { square: sq("8I") }), b, { square: sq("8J") });
  assert.equal(says(s), ".AB 8H");
  assert.equal(says(p.drop(s, a, { square: sq("8J") })), ".BA 8H"); // the tiles change places
  assert.equal(tiles(p.drop(s, c, { square: sq("8J") })), "B"); // the other tile goes back
  assert.equal(tiles(p.drop(s, a, null)), "AC");
  assert.equal(tiles(p.drop(s, a, { square: sq("8H") })), "AC"); // occupied
  assert.equal(p.drop(s, c, { place: 0 }).rack.map((t) => t.text).join(""), "CAB");
  assert.equal(p.drop(s, a, { place: 3 }).rack.map((t) => t.text).join(""), "BCA");
});

test("tapping a laid tile picks it up, again takes it back", () => {
  let s = p.drop(p.begin(table({}, "AB")), 1, { square: sq("8H") });
  s = p.tapSquare(s, sq("8H"));
  assert.equal(s.held, 1);
  assert.equal(says(p.tapSquare(s, sq("8K"))), "A 8K");
  assert.equal(p.tapSquare(s, sq("8H")).laid.length, 0);
});

test("what is no word to play", () => {
  const at = (...places) => places.reduce((s, place, i) => p.drop(s, i + 1, { square: sq(place) }), p.begin(table({ "8H": "R" }, "ABC")));
  assert.equal(says(at("8I", "9J")), "The tiles must lie in one line.");
  assert.equal(says(at("8I", "8L")), "There is a gap between the tiles.");
  assert.equal(says(at("8G", "8I")), "A.B 8G");
  assert.equal(says(at("9H")), ".A H8");
  assert.equal(says(at("7H", "9H")), "A.B H7");
});

test("tiles of several characters: by one tile or two keys", () => {
  const spanish = [...english, { text: "CH", value: 5 }];
  const view = table({}, [], { rack: ["C", "H", "A"] }, { tiles: spanish });
  const type = (rack, word) => keys(p.tapSquare(p.begin({ ...view, own: { ...view.own, rack } }), sq("8H")), word);
  assert.equal(says(type(["CH", "A"], "cha")), "[CH]A 8H");
  assert.equal(says(type(["C", "CH", "A"], "cha")), "[CH]A 8H");
  assert.equal(says(type(["C", "H", "A"], "cha")), "CHA 8H");
  assert.equal(says(p.choose(taps2(p.begin({ ...view, own: { ...view.own, rack: ["?"] } })), "CH")), "?[CH] 8H");
  function taps2(s) { return p.tapTile(p.tapSquare(s, sq("8H")), 1); }
});

test("L·L is typed with a point, a hyphen or what it shows", () => {
  const catalan = [...english, { text: "L·L", value: 10 }];
  const type = (rack, word) => says(keys(p.tapSquare(p.begin(table({}, [], { rack }, { tiles: catalan })), sq("8H")), word));
  for (const typed of ["cel.la", "cel-la", "cel·la"]) {
    assert.equal(type(["C", "E", "L·L", "A"], typed), "CE[L·L]A 8H", typed);
    assert.equal(type(["C", "E", "L", "L·L", "A"], typed), "CE[L·L]A 8H", typed);
  }
  assert.equal(type(["L", "L", "L·L"], "ll"), "LL 8H");
});

test("a tile of three characters, beside those of two and one", () => {
  const hungarian = [...english, ..."DZ,DZS,ZS".split(",").map((text) => ({ text, value: 8 }))];
  const type = (rack, word) => says(keys(p.tapSquare(p.begin(table({}, [], { rack }, { tiles: hungarian })), sq("8H")), word));
  assert.equal(type(["D", "DZ", "DZS", "A"], "dzsa"), "[DZS]A 8H");
  assert.equal(type(["DZS", "A"], "dzsa"), "[DZS]A 8H");
  assert.equal(type(["D", "Z", "DZS", "A"], "dza"), "DZA 8H");
});

test("letters on no tile are those that they stand for", () => {
  const type = (letters, word) => says(keys(p.tapSquare(p.begin(table({}, [], { rack: [...letters] }, { tiles: [...letters].map((text) => ({ text, value: 1 })) })), sq("8H")), word));
  assert.equal(type("שלומ", "שלום"), "שלומ 8H");
  assert.equal(type("ΛΟΓΣ", "λόγς"), "ΛΟΓΣ 8H");
  assert.equal(type("ЕЖ", "ёж"), "ЕЖ 8H");
  assert.equal(type("ÑO", "ño"), "ÑO 8H");
});

test("a question mark is the blank", () => {
  let s = p.type(p.tapSquare(p.begin(table({}, "A?")), sq("8H")), "?");
  assert.equal(s.laid.length, 0);
  s = p.type(s, "q");
  assert.equal(says(p.type(s, "a")), "?QA 8H");
  assert.match(p.type(s, "?").note, /no blank/);
});

test("Turkish has two letters i", () => {
  const turkish = [{ text: "I", value: 2 }, { text: "İ", value: 1 }];
  const s = p.tapSquare(p.begin(table({}, ["I", "İ"], {}, { tiles: turkish })), sq("8H"));
  assert.equal(says(keys(s, "iı")), "İI 8H");
});

test("the rack: order, shuffle, sort, and what is remembered", () => {
  const view = table({}, "HORN?EE");
  let s = p.sort(p.begin(view));
  assert.equal(tiles(s), "EEHNOR?");
  s = p.shuffle(s, () => 0);
  assert.equal(tiles(s), "EHNOR?E");
  s = p.drop(s, s.rack[1].id, { square: sq("8H") });
  const again = p.restore(view, JSON.parse(JSON.stringify(p.keep(s))));
  assert.equal(tiles(again), "ENOR?E");
  assert.equal(says(again), "H 8H");
  // Tiles of others and a different rack change nothing.
  assert.equal(tiles(p.restore(table({ "8H": "A" }, "HXYZ"), p.keep(s))), "HXYZ");
});

test("a move arrives: the draft stays where its squares are free", () => {
  let s = p.begin(table({}, "HORNE", { turn: false }));
  s = p.drop(p.drop(s, 1, { square: sq("8H") }), 2, { square: sq("8I") });
  const next = p.update(s, table({ "8I": "X" }, "HORNE", {}, { number: 11 }), 5000);
  assert.equal(says(next), "H. 8H");
  assert.match(next.note, /^O came back/);
  assert.equal(tiles(next), "ORNE");
  // Play is ignored for a moment after that.
  assert.deepEqual(p.send(next, 5000 + p.settle - 1), { problem: "" });
  assert.deepEqual(p.send(next, 5000 + p.settle), { command: "play", args: { word: "H.", at: "8H" } });
});

test("the own play arrives: new tiles come where the old ones lay", () => {
  let s = p.begin(table({}, "HEORNEA"));
  s = p.drop(p.drop(s, 2, { square: sq("8I") }), 1, { square: sq("8H") });
  const next = p.update(s, table({ "8H": "H", "8I": "E" }, "ORNEAXY", {}, { number: 12 }), 0);
  assert.equal(next.rack.map((t) => t.text).join(""), "XYORNEA");
  assert.equal(next.laid.length, 0);
  assert.equal(next.note, "");
});

test("old news changes nothing, another table begins anew", () => {
  const s = p.begin(table({}, "AB"));
  assert.equal(p.update(s, table({}, "CD", {}, { number: 9 }), 0), s);
  assert.equal(tiles(p.update(s, table({}, "CD", {}, { table: 2, number: 1 }), 0)), "CD");
});

test("exchanging by choosing tiles", () => {
  let s = p.startExchange(p.begin(table({}, "QV?", { exchange: 2 })));
  assert.deepEqual(p.send(s, 0), { problem: "Choose the tiles to put back." });
  s = p.tapTile(p.tapTile(s, 1), 3);
  assert.deepEqual(p.send(s, 0), { command: "exchange", args: { tiles: "Q?" } });
  assert.match(p.tapTile(s, 2).note, /enough tiles for 2/);
  assert.equal(p.recall(s).mode, "lay");
});

test("taking tiles off the board", () => {
  let s = p.begin(table({ "8H": "A", "8I": "?B" }, "", { lays: "remove" }));
  s = p.tapSquare(p.tapSquare(p.tapSquare(s, sq("8H")), sq("8I")), sq("8J"));
  assert.deepEqual(p.send(s, 0), { command: "remove", args: { squares: "8H 8I" } });
  assert.equal(p.worth(s), 1);
  s = p.tapSquare(s, sq("8H"));
  assert.deepEqual(s.picked, [sq("8I")]);
  assert.deepEqual(p.update(s, table({ "8H": "A" }, "", { lays: "remove" }, { number: 11 }), 0).picked, []);
});

test("covering printed letters", () => {
  const printed = Array(225).fill("");
  printed[sq("8H")] = "H";
  printed[sq("8I")] = "O";
  const covers = [
    { word: "HORN", squares: [sq("8H"), sq("8I")], letters: ["H", "?O"], score: 0 },
    { word: "HORN", squares: [sq("8H")], letters: ["H"], score: 0 },
  ];
  let s = p.begin(table({}, "H?X", { lays: "cover", covers }, { printed }));
  s = p.tapSquare(s, sq("8H"));
  assert.deepEqual(p.send(s, 0), { command: "cover", args: { word: "HORN", tiles: "2" } });
  assert.equal(p.at(s, sq("8I")), "?O");
  s = p.tapSquare(s, sq("8H"));
  assert.deepEqual(p.send(s, 0), { command: "cover", args: { word: "HORN", tiles: "1" } });
  assert.equal(p.tapSquare(s, sq("8H")).laid.length, 0);
  assert.equal(p.describe(p.recall(s), sq("8H")), "8H, start, double word, H is printed");
});

test("two bags: how many vowels to draw", () => {
  const s = { ...taps(p.tapSquare(p.begin(table({}, "HO", { draws: true })), sq("8H")), "HO"), draw: 1 };
  assert.deepEqual(p.send(s, 0), { command: "play", args: { word: "HO", at: "8H", draw: "1" } });
});

test("who watches changes nothing", () => {
  const view = { ...table({}, ""), own: undefined };
  const s = p.begin(view);
  assert.equal(p.tapSquare(s, 3), s);
  assert.equal(p.type({ ...s, cursor: { square: 3, arrow: "across" } }, "a").laid.length, 0);
});

test("looking back", () => {
  const game = { size: 2, turns: [{ changes: [{ square: 0, tile: "A" }, { square: 1, tile: "?B" }] }, {}, { changes: [{ square: 1, tile: "" }] }] };
  assert.deepEqual(p.after(game, 0), ["", "", "", ""]);
  assert.deepEqual(p.after(game, 2), ["A", "?B", "", ""]);
  assert.deepEqual(p.after(game, 3), ["A", "", "", ""]);
});

test("a square in words", () => {
  const s = p.begin(table({ "9H": "E" }, "A", {}, { squares: "T" + squares.slice(1) }));
  assert.equal(p.describe(s, 0), "1A, triple word, empty");
  assert.equal(p.describe(s, sq("9H")), "9H, E, 5 points");
  assert.equal(p.describe(s, sq("9I")), "9I, empty");
});
