// Tests of the board, drawn in a document without a browser.

import test from "node:test";
import assert from "node:assert/strict";
import { browse, click, key, point, until, $$, labelled, sight, square } from "./browser.js";

browse('<div id="announce"></div><div id="board"></div>');
const { mount } = await import("../../static/board.js");

const said = [], acts = [], pressed = [];
let elsewhere = {}; // of the host: games that wait for the player
let settings = {}, reply = {}, scored = { score: 8, words: [{ text: "HO", score: 8 }] };
let table = 100;

/** shows mounts a new board with a table. */
function shows(more, own) {
  const root = document.createElement("div");
  document.getElementById("board").replaceChildren(root);
  for (const list of [said, acts, pressed]) list.length = 0;
  settings = {};
  reply = {};
  browse.under = null;
  scored = { score: 8, words: [{ text: "HO", score: 8 }] };
  localStorage.clear();
  const board = mount(root, {
    act: async (r) => (acts.push(r), reply), draft: async () => scored, press: (id) => pressed.push(id), say: (text) => said.push(text), settings: () => settings, sound() {}, share: async () => "shared", ...elsewhere,
  });
  const view = sight({ table: ++table, ...more }, own);
  board.show(view);
  return { root, board, view, next: (more, own) => board.show(sight({ ...view, number: view.number + 1, ...more }, { ...view.own, ...own })) };
}

const rack = () => $$(".rack button").map((b) => b.getAttribute("aria-label")[0]).join("");
const tile = (letter) => $$(".rack button").find((b) => b.getAttribute("aria-label").startsWith(letter));
const tally = () => document.querySelector(".tally").textContent;
const play = () => document.querySelector(".controls .play");
const signed = (label) => document.querySelector(`[aria-label="${label}"]`);
const more = (label) => {
  click(signed("More"));
  click(labelled(label));
};
const ready = () => until(() => !play().hasAttribute("aria-disabled"));

test("tapping a tile and a square lays it; Play plays it", async () => {
  shows();
  click(tile("H"));
  click(square("8H"));
  click(tile("O"));
  click(square("8I"));
  assert.equal(rack(), "RNAEB");
  await until(() => play().textContent === "Play 8");
  await ready();
  assert.equal(tally(), "HO 8");
  const spoken = document.querySelector(".news .unseen[role='status']");
  assert.notEqual(spoken.textContent, "HO 8", "it is spoken once laying pauses");
  assert.equal(document.querySelector(".tally").getAttribute("role"), null);
  await until(() => spoken.textContent === "HO 8");
  click(play());
  assert.deepEqual(acts, [{ command: "play", args: { word: "HO", at: "8H" }, table, number: 10 }]);
});

test("who asks to be asked presses Play twice", async () => {
  shows();
  settings = { ask: true };
  click(square("8H"));
  for (const c of "ho") key(document.activeElement, c);
  await until(() => play().textContent === "Play 8");
  await ready();
  click(play());
  assert.equal(play().textContent, "Sure? Play 8");
  assert.deepEqual(acts, []);
  click(play());
  assert.equal(acts.length, 1);
});

test("a refusal stays in view, the tiles stay laid", async () => {
  const { next } = shows();
  reply = { refused: true, text: [{ text: "HO isn't in the word list." }] };
  click(square("8H"));
  for (const c of "ho") key(document.activeElement, c);
  await ready();
  key(square("8H"), "Enter");
  await until(() => tally() === "HO isn't in the word list.");
  assert.ok(document.querySelector(".tally.bad"));
  assert.equal($$(".laid").length, 2);
  next({ caption: "Later." });
  await until(() => tally() === "HO 8");
});

test("the blank's letter is chosen by a press or a key", () => {
  shows();
  click(tile("B"));
  click(square("8H"));
  assert.equal($$(".letters button").length, 26);
  click(labelled("Q"));
  assert.equal(square("8H").querySelector(".blank").textContent, "Q");
  click(signed("Recall"));
  click(tile("B"));
  click(square("8H"));
  key(document.querySelector(".letters button"), "z");
  assert.equal(square("8H").querySelector(".blank").textContent, "Z");
});

test("keys: arrows, space, backspace, escape, the rack", () => {
  shows();
  click(square("8H"));
  key(square("8H"), "ArrowDown");
  assert.equal(document.activeElement, square("9H"));
  key(square("9H"), " ");
  assert.ok(square("9H").classList.contains("down"));
  key(square("9H"), "h");
  assert.ok(square("9H").querySelector(".face"));
  key(document.activeElement, "Backspace");
  assert.equal(square("9H").querySelector(".face"), null);
  key(square("9H"), "End");
  assert.equal(document.activeElement, square("9O"));
  key(square("9O"), "Home");
  assert.equal(document.activeElement, square("9A"));
  key(square("9A"), "h");
  key(document.activeElement, "Escape");
  assert.equal($$(".laid").length, 0);
  const first = $$(".rack button")[0];
  first.focus();
  key(first, "ArrowRight");
  assert.equal(document.activeElement, $$(".rack button")[1]);
});

test("exchanging and passing are behind More", async () => {
  shows();
  more("Exchange");
  click(tile("H"));
  click(tile("O"));
  assert.match(tally(), /Put back 2 tiles/);
  await until(() => !document.querySelector(".controls .primary").hasAttribute("aria-disabled"));
  click(labelled("Exchange 2"));
  await until(() => acts.length === 1);
  assert.deepEqual(acts[0].args, { tiles: "HO" });
  shows();
  more("Pass");
  assert.equal(acts[0].command, "pass");
});

test("shuffling and sorting the rack", () => {
  shows();
  more("Sort");
  assert.equal(rack(), "AEHNORB");
  click(signed("Shuffle"));
  assert.equal([...rack()].sort().join(""), "ABEHNOR");
});

test("a tile is dragged to a square, back to the rack, and away", () => {
  shows();
  const drag = (node, onto) => {
    point(node, "down", 10, 10);
    browse.under = onto;
    point(node, "move", 60, 60);
    assert.ok(document.querySelector(".ghost"));
    assert.equal(onto?.closest(".cell, .rack")?.classList.contains("over") ?? true, true);
    point(node, "up", 60, 60);
    assert.equal(document.querySelector(".ghost"), null);
  };
  drag(tile("N"), square("8H"));
  assert.ok(square("8H").classList.contains("laid"));
  click(square("8H"));
  assert.ok(!square("8H").classList.contains("held"), "the click that ends a drag is no tap");
  drag(square("8H"), document.querySelector(".rack"));
  assert.equal($$(".laid").length, 0);
  drag(tile("A"), square("8H"));
  drag(square("8H"), null);
  assert.equal($$(".laid").length, 0);
  point(tile("A"), "down", 10, 10);
  point(tile("A"), "move", 60, 60);
  point(tile("A"), "cancel", 60, 60);
  assert.equal(document.querySelector(".ghost"), null);
});

test("after a move another game that waits for the player is one press away", () => {
  let waits = true;
  elsewhere = { more: () => waits, next: () => pressed.push("next") };
  const { board, view, next } = shows();
  elsewhere = {};
  assert.equal(play().textContent, "Play");
  next({ own: { ...view.own, turn: false } });
  assert.equal(play().textContent, "Next game");
  click(play());
  assert.deepEqual(pressed, ["next"]);
  click(tile("A"));
  assert.equal(play().textContent, "Play", "a play is being laid ahead");
  click(signed("Recall"));
  waits = false;
  board.again();
  assert.equal(play().textContent, "Play");
});

test("looking back through the moves, and forward again", () => {
  const changes = (at, tile) => [{ square: at, tile }];
  shows({ turns: [{ number: 1, player: "Bob", text: "H 8H", score: 4, total: 4, changes: changes(112, "H") }, { number: 2, player: "Ann", text: "exchanged 1 tile", changes: [] }] });
  click($$(".turn")[0]);
  assert.equal(square("8H").querySelector(".face").firstChild.data, "H");
  assert.deepEqual(said, ["Bob H 8H +4"]);
  key(document.querySelector(".scrub button"), "ArrowLeft");
  assert.equal(square("8H").querySelector(".face"), null);
  assert.equal(document.querySelector(".where").textContent, "0 of 2");
  assert.equal(document.querySelector(".controls").hidden, true, "nothing is played meanwhile");
  key(document.querySelector(".scrub button"), "Escape");
  assert.equal(document.querySelector(".controls").hidden, false);
});

test("unscrabble: tiles are taken off the board", async () => {
  const board = Array(225).fill("");
  board[112] = "H";
  shows({ board }, { lays: "remove", rack: [] });
  click(square("8H"));
  assert.match(tally(), /One tile for/);
  await ready();
  click(play());
  assert.deepEqual(acts[0].args, { squares: "8H" });
});

test("duplicate: what was submitted lies there", () => {
  shows({}, { lays: "submit", submitted: { squares: [112], letters: ["H"], score: 4 } });
  assert.ok(square("8H").classList.contains("submitted"));
  assert.match(tally(), /on the board/);
});

test("two bags: how many vowels to draw", async () => {
  shows({}, { draws: true });
  click(square("8H"));
  for (const c of "ho") key(document.activeElement, c);
  const box = document.querySelector(".controls select");
  box.value = "1";
  box.dispatchEvent(new Event("change"));
  await ready();
  click(play());
  assert.equal(acts[0].args.draw, "1");
});

test("what the host offers is pressed", () => {
  shows();
  more("Unseen tiles");
  assert.deepEqual(pressed, ["1:1:10:unseen:"]);
});

test("whoever resigns is asked first; what asks is asked at the table in view", async () => {
  shows({ buttons: [] }, { hints: true, turn: true });
  more("Resign");
  await until(() => acts.length === 1);
  more("Hint");
  await until(() => acts.length === 2);
  assert.deepEqual(acts, [{ command: "resign", args: {} }, { command: "hint", args: {}, table }]);
});

test("an older view changes nothing; a newer one keeps the draft", () => {
  const { board, next, view } = shows();
  click(square("8H"));
  for (const c of "ho") key(document.activeElement, c);
  board.show({ ...view, number: 5, caption: "old" });
  assert.match(document.querySelector(".caption").textContent, /Bob played HO/);
  next({ caption: "Eve joins." });
  assert.equal($$(".laid").length, 2);
  const board2 = [...view.board];
  board2[112] = "X";
  next({ number: 12, board: board2 });
  assert.equal($$(".laid").length, 1, "the tile that lies where another lies now is back");
  assert.match(said.at(-1), /came back to your rack/);
});

test("a draft outlives a reload, and another window's draft is taken over", () => {
  const { view } = shows();
  click(square("8H"));
  key(document.activeElement, "h");
  const root = document.createElement("div");
  document.body.append(root);
  mount(root, { act: async () => ({}), draft: async () => scored, press() {}, say() {}, settings: () => ({}), sound() {} }).show(view);
  assert.equal($$(".laid", root).length, 1);
  root.remove();
  localStorage.setItem("rackmate rack " + table, JSON.stringify({ rack: [..."HORNAE?"], laid: [] }));
  dispatchEvent(Object.assign(new Event("storage"), { key: "rackmate rack " + table }));
  assert.equal($$(".laid").length, 0);
});

test("words from the right", () => {
  shows({ tiles: [{ text: "א", value: 1 }, { text: "ב", value: 3 }, { text: "?", value: 0 }] }, { rack: ["א", "ב"] });
  assert.equal(document.querySelector(".board").getAttribute("dir"), "rtl");
  click(square("8H"));
  key(square("8H"), "ArrowLeft");
  assert.equal(document.activeElement, square("8I"));
});

test("the first tile of a word is no mistake; Play says what lacks", async () => {
  shows();
  click(tile("H"));
  click(square("8H"));
  await ready;
  assert.equal(tally(), "Put a second tile beside it.");
  assert.equal(document.querySelector(".bad"), null);
  assert.equal(play().getAttribute("aria-disabled"), "true");
  await until(() => {
    click(play());
    return document.querySelector(".tally.bad");
  });
  assert.deepEqual(acts, []);
});

test("a play that would be refused is pale, and says why when it is pressed", async () => {
  shows();
  scored = { problem: "It must cover the middle.", score: 0 };
  click(square("1A"));
  for (const c of "ho") key(document.activeElement, c);
  await until(() => tally() === "It must cover the middle.");
  assert.equal(document.querySelector(".bad"), null);
  assert.equal(play().getAttribute("aria-disabled"), "true");
  await until(() => {
    click(play());
    return document.querySelector(".tally.bad");
  });
  assert.deepEqual(acts, []);
});


test("so is one of a word that is refused for not being in the list", async () => {
  shows();
  scored = { words: [{ text: "HO", score: 5, invalid: true }], score: 5 };
  click(square("1A"));
  for (const c of "ho") key(document.activeElement, c);
  await until(() => tally().includes("isn't valid"));
  assert.equal(play().getAttribute("aria-disabled"), "true");
  await until(() => {
    click(play());
    return document.querySelector(".tally.bad");
  });
  assert.equal(tally(), "HO is not in the word list.");
  assert.deepEqual(acts, []);
});
test("in a game by clocks it is still said whose turn it is", () => {
  shows({ players: [{ seat: 0, name: "Ann", score: 0, toMove: true, clock: { left: 60000, runs: true } }, { seat: 1, name: "Bob", score: 0, clock: { left: 60000 } }] });
  const [ann, bob] = $$(".players li").map((li) => li.textContent);
  assert.match(ann, /to move.*(1:00|0:5\d)/);
  assert.doesNotMatch(bob, /to move/);
});

test("one is told when one's own time runs short, once each", () => {
  const at = (left, runs = true) => ({ players: [{ seat: 0, name: "Ann", score: 0, toMove: runs, clock: { left, runs } }, { seat: 1, name: "Bob", score: 0, toMove: !runs, clock: { left: 61000, runs: !runs } }] });
  const { next } = shows(at(302000));
  next(at(299000));
  assert.deepEqual(said, ["5:00 left on your clock"]);
  next(at(301000)); // a turn added time
  next(at(298000));
  next(at(62000, false));
  assert.equal(said.length, 1);
  next(at(59000));
  assert.equal($$(".players .short").length, 1);
  assert.equal($$(".players .last").length, 0);
  assert.equal($$(".players .warned").length, 1); // it is visible too
  next(at(9900));
  assert.equal($$(".players .last").length, 1);
  assert.deepEqual(said.slice(1), ["1:00 left on your clock", "0:10 left on your clock"]);
  next(at(-900));
  assert.equal($$(".players .over").length, 1);
  assert.equal(said.length, 3);
});

test("the focus goes on where what had it is gone", () => {
  const rematch = { id: "1:1:9:rematch:", label: "Rematch", style: 1 }, stand = { id: "1:1:8:pass:", label: "Let it stand" };
  const { next } = shows({ buttons: [stand] });
  more("Exchange");
  assert.ok(document.querySelector(".rack").contains(document.activeElement));
  labelled("Let it stand").focus();
  next({ buttons: [{ id: "1:1:9:replay:", label: "Replay" }] });
  assert.equal(document.activeElement.getAttribute("role"), "gridcell");
  labelled("Replay").blur();
  document.activeElement.blur();
  next({ phase: "over", buttons: [rematch], ending: { result: "Game over: Ann wins", players: [{ seat: 0, name: "Ann", score: -3, won: true }] } });
  assert.equal(document.activeElement, document.querySelector(".ending .primary"));
  assert.equal(document.querySelector(".ending li b").textContent, "−3");
});

test("a bingo has its moment, also if a robot answers at once", () => {
  const seven = { player: "Ann", text: "HORNBEAM", score: 76, changes: [..."HORNBEAM"].slice(1).map((tile, i) => ({ square: 112 + i, tile })) };
  const answer = { player: "Bob", text: "IT", score: 2, changes: [{ square: 1, tile: "I" }, { square: 2, tile: "T" }] };
  const cheers = () => $$(".cheer").map((n) => n.textContent);
  const { view, next } = shows();
  next({ turns: [...view.turns, answer] });
  assert.deepEqual(cheers(), [], "a play of two tiles has none");
  next({ number: view.number + 2, turns: [...view.turns, answer, seven, answer] });
  assert.deepEqual(cheers(), ["+76"]);
  shows({ turns: [seven] });
  assert.deepEqual(cheers(), [], "nor has one that was played before the page came");
});

test("the end comes forward on a card, once", async () => {
  const ending = { result: "Game over: Ann wins", players: [{ name: "Ann", score: 310, won: true, best: "RELIGION at K5 for 78", bingos: 1 }, { name: "Bob", score: 290, bingos: 2 }] };
  const { board, view, next } = shows();
  const card = () => document.querySelector(".ending");
  assert.ok(card().hidden);
  next({ phase: "over", ending });
  assert.ok(!card().hidden);
  assert.equal(card().querySelector("h2").textContent, "Game over: Ann wins");
  assert.deepEqual([...card().querySelectorAll("li")].map((li) => li.textContent), ["Ann310Best play: RELIGION at K5 for 781 bingo", "Bob2902 bingos"]);
  assert.equal(card().querySelector(".won").textContent.slice(0, 3), "Ann");
  click(labelled("Share", card()));
  await until(() => said.includes("shared"));
  click(card().querySelector("[aria-label=Close]"));
  assert.ok(card().hidden);
  board.show({ ...view, number: view.number + 2, phase: "over", ending });
  assert.ok(card().hidden);
});

test("the card stays closed for each table, and its buttons stand below the board", () => {
  const rematch = { id: "1:1:9:rematch:", label: "Rematch", style: 1 }, replay = { id: "1:1:9:replay:", label: "Replay" };
  const ending = { result: "Game over: Ann wins", by: 20, players: [{ seat: 0, name: "Ann", score: 310, won: true, best: "HO at 8H for 8", play: ["H", "?O"], points: 8 }, { seat: 1, name: "Bob", score: 290 }] };
  const { board, view } = shows({ phase: "over", caption: "Ann wins", ending, buttons: [rematch, replay], seat: 0 }, null);
  const card = () => document.querySelector(".ending");
  assert.equal(card().querySelector("h2 bdi").textContent, "Ann wins");
  assert.equal(card().querySelector(".margin").textContent, "By 20 points");
  assert.deepEqual($$(".best-tile .face").map((n) => n.className), ["face", "face blank"]);
  click(card().querySelector("[aria-label=Close]"));
  assert.deepEqual($$(".beside .button").map((b) => b.textContent), ["Rematch", "Share", "Replay"]); // without a review the host's buttons stay
  board.show({ ...view, table: view.table + 1000 });
  assert.ok(!card().hidden);
  click(card().querySelector("[aria-label=Close]"));
  board.show(view);
  assert.ok(card().hidden, "closing another card opens this one");
});

test("a finished review brings the accuracy and the curve to the card", () => {
  const ending = { result: "Game over: Ann wins", players: [{ seat: 0, name: "Ann", score: 310, won: true }, { seat: 1, name: "Bob", score: 290 }] };
  const { board } = shows({ phase: "over", ending, seat: 1 }, null);
  const turns = [0.4, 0.7, 0.9].map((win, i) => ({ turn: i + 1, seat: i % 2, loss: 0, rack: [], made: { text: "HO 8H", points: 8, equity: 8, win, tiles: [] }, best: [] }));
  board.judged({ turns, moves: 3, accuracy: [91, 78] });
  assert.match(document.querySelector(".ending li").textContent, /Accuracy: 91%/);
  assert.equal(document.querySelector(".ending figcaption").textContent, "Your chance to win");
  assert.equal(document.querySelector(".ending polyline").getAttribute("points"), "0,40.0 50,30.0 100,90.0"); // Bob's chances
});

test("the blank's letters run as the words do", () => {
  shows({ tiles: [{ text: "א", value: 1 }, { text: "?", value: 0 }] }, { rack: ["?", "א"] });
  click(tile("B"));
  click(square("8H"));
  assert.equal(document.querySelector(".chooser").getAttribute("dir"), "rtl");
});

test("who watches has neither rack nor controls", () => {
  shows({}, null);
  assert.equal(document.querySelector(".rack").hidden, true);
  assert.equal(document.querySelector(".controls").hidden, true);
  click(square("8H"));
  assert.equal($$(".cursor").length, 0);
});
