// Tests of the board of a game on a page of its own.

import test from "node:test";
import assert from "node:assert/strict";
import { browse, news, click, until, refuses, $$, labelled, sight, square } from "./browser.js";

const body = `<h1 id="page-title"></h1><p id="page-said"></p><div id="offline"></div><button id="share"></button><section id="game"><div id="board" class="board-box"></div></section><div id="beside"></div>
<div class="page-aside"><button id="review"></button></div><div id="announce"></div>`;
const turns = [{ number: 1, player: "Ann", text: "HO 8G", score: 8, total: 8, changes: [{ square: 111, tile: "H" }, { square: 112, tile: "O" }] }];
const made = { text: "8G HO", points: 8, equity: 8.5, squares: [111, 112], tiles: ["H", "O"] };
const best = { text: "8D HORN", points: 14, equity: 16, squares: [108, 109], tiles: ["H", "O"] };
const { answers, of } = browse(body, { data: { base: "/g/abc" }, url: "https://play.example.org/g/abc#pass=SECRET", answers: {
  "g/abc/table": { sight: sight({ turns }) }, "g/abc/enter": refuses("That link was used."), "g/abc/draft": { score: 8, words: [] }, "g/abc/act": { reply: { text: [{ text: "No." }], refused: true } },
  "g/abc/press": { reply: { text: [{ text: "Pressed." }] } }, "g/abc/live": news(),
} });
const { start } = await import("../../static/ontable.js");
let looks = 0;
start(document.getElementById("game"), () => looks++);
const said = () => document.getElementById("page-said").textContent;

test("the pass of a link is used once, and is no longer in the address", async () => {
  await until(() => of("g/abc/enter").length === 1);
  assert.equal(of("g/abc/enter")[0].pass, "SECRET");
  await until(() => said() === "That link was used.");
  assert.equal(location.hash, "");
});

test("the table is shown, and played on", async () => {
  await until(() => document.getElementById("page-title").textContent === "Ann – Bob");
  assert.match(document.title, /Your move/);
  click(square("8H"));
  click(document.querySelector('[aria-label="More"]'));
  click(labelled("Pass"));
  await until(() => of("g/abc/act").length === 1);
  await until(() => document.querySelector(".tally").textContent === "No.");
  click(document.querySelector('[aria-label="More"]'));
  click(labelled("Unseen tiles"));
  await until(() => said() === "Pressed.");
});

test("what a player missed is told by what it costs, and only theirs", async () => {
  const { reviews } = await import("../../static/review.js");
  const panel = document.createElement("div"), other = { ...best, text: "8G HOR", points: 8, equity: 9 };
  const turn = (turn, seat, more) => ({ turn, seat, loss: 7.5, given: 0.04, rack: ["H", "O"], made: { ...made, win: 0.58 }, best: [{ ...best, win: 0.62 }], ...more });
  const judged = [turn(1, 0), turn(2, 1), turn(3, 0, { given: 0.001, loss: 3.2 }), turn(4, 0, { given: 0.05, best: [other] }), turn(5, 0, { given: 0, loss: 0, best: [{ ...made, win: 0.58 }] })];
  const board = { show() {}, above: document.createElement("div") };
  const review = reviews(panel, { board: () => board, sight: () => sight({ phase: "over", seat: 0, turns }, null), ask: async () => ({ moves: 5, turns: judged }), tell() {}, attempt: async () => ({}) });
  await review.make();
  assert.deepEqual($$(".missed span:first-child", panel).map((n) => n.textContent), [
    "You missed 8G HOR. It scores no more, but it's worth 5% of the game.", "You missed 8D HORN: 14 points, and 4% of the game.", "You missed 8D HORN: 3 points more by the end."]);
  assert.equal($$(".missed .quiet", panel)[1].textContent, "Move 1: 8G HO for 8");
  for (const [at, want] of ["You missed", "Bob missed", "You missed", "You missed", "You played 8G HO for 8: nothing was better."].entries()) {
    click($$(".judged .turn", panel)[at]);
    assert.ok(panel.querySelector(".judged-one h2").textContent.startsWith(want), panel.querySelector(".judged-one h2").textContent);
  }
});

test("after the end the moves are judged, and each is looked at on the board", async () => {
  const asked = []; // times of the requests
  answers["g/abc/table"] = { sight: sight({ number: 20, phase: "over", turns, ending: { result: "Game over: Ann wins", players: [] } }, null) };
  const judged = [{ turn: 1, seat: 0, loss: 7.5, chance: "5 ± 1%", given: 0.05, rack: ["H", "O"], made: { ...made, win: 0.58, chance: "58 ± 1%" }, best: [{ ...best, win: 0.62, chance: "62 ± 1%" }], remark: "A pity" }, { turn: 2, seat: 1, loss: 0, rack: ["A"], made: { ...made, win: 0.4 }, best: [] }];
  answers["g/abc/review"] = () => ({ moves: 2, turns: judged.slice(0, asked.push(performance.now()) - 1) }); // none at first
  document.dispatchEvent(new Event("visibilitychange"));
  await until(() => looks === 1);
  click(document.getElementById("review"));
  await until(() => $$("#judged .judged .turn").length === 2);
  assert.equal(asked.length, 3);
  for (const [i, at] of asked.slice(1).entries()) assert.ok(at - asked[i] > 600, "it is asked again at once");
  assert.match($$("#judged .judged .turn")[0].textContent, /−4%/);
  assert.equal($$(".missed").length, 1);
  click($$("#judged .judged .turn")[0]);
  assert.equal(document.querySelector(".judged-one h2").textContent, "Ann missed 8D HORN: 14 points, and 4% of the game.");
  assert.deepEqual($$(".judged-one .turn-head span").map((n) => n.textContent), ["Move", "Points", "Chance to win"]);
  assert.match($$(".choices .turn")[0].textContent, /^Played.*58%$/);
  assert.match($$(".choices .turn")[1].textContent, /^Best.*62%$/);
  assert.match(document.querySelector(".judged-one").textContent, /A pity.*Ann had H O\./);
  click($$(".choices .turn")[1]);
  assert.equal(square("8D").querySelector(".face").firstChild.data, "H");
  assert.match(document.querySelector(".caption").textContent, /Best: 8D HORN/);
  assert.match(labelled("Analyse").getAttribute("href"), /^\/analyse#cgp=15%2F.*\+HO%2F\+0%2F0\+0$/);

  answers["g/abc/try"] = ({ word, judge }) => (word === "QQ" ? { words: [{ text: "QQ", score: 20, invalid: true }] } : judge ? { judged: { made: { ...made, text: "8H HO", points: 5, win: 0.5, chance: "50 ± 1%" }, best: [{ ...best, win: 0.6 }] }, score: 5 } : { score: 5, words: [] });
  click(labelled("Find a better move"));
  await until(() => $$(".rack button").length === 2);
  for (const at of ["8H", "8I"]) {
    click($$(".rack button")[0]);
    click(square(at));
  }
  await until(() => of("g/abc/try").length > 0);
  await new Promise((done) => setTimeout(done, 450)); // the board has just moved
  click($$(".controls button").at(-1));
  await until(() => /Your try: 8H HO for 5/.test(document.querySelector(".caption").textContent));
  assert.match(document.querySelector(".judged-one h2").textContent, /The move played was better\. The best is 8D HORN, worth 10% of the game more\./); // as when both were judged together
  assert.equal($$(".choices .turn").length, 3);
  const slider = document.querySelector(".slider");
  assert.equal(slider.getAttribute("aria-valuetext"), "Move 1: 8G HO for 8. Chance to win: 58%");
  assert.deepEqual($$(".slider .dot").map((n) => n.className), ["dot own mistake", "dot"]);
  slider.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight", bubbles: true }));
  assert.equal(slider.getAttribute("aria-valuenow"), "2");
  click(document.querySelector("[aria-label='Next move']"));
  click(document.querySelector("[aria-label='Previous move']"));
  click(document.querySelector("[aria-label='Back to the end']"));
  assert.equal($$(".slider").length, 0);
  click(document.getElementById("share"));
});

test("what a move gives away is the difference of the chances beside it", async () => {
  const { chance, cost, given } = await import("../../static/choices.js");
  for (const [best, made, share, shown, loss] of [
    [0.5851, 0.5849, 0.02, "59% 58%", "1%"], // measured over other draws than each alone
    [0.594, 0.575, 0.019, "59% 57%", "2%"],
    [0.584, 0.576, 0.02, "58% 58%", "<1%"],
    [0.576, 0.584, 0.02, "58% 58%", "<1%"],
    [0.994, 0.58, 0.41, ">99% 58%", "41%"],
    [0.5, 0.004, 0.5, "50% <1%", "50%"],
    [1, 0, 1, "100% 0%", "100%"],
  ]) {
    assert.equal(`${chance(best)} ${chance(made)}`, shown);
    assert.equal(given({ win: best }, { win: made }, share), loss, shown);
  }
  assert.equal(given({}, { win: 0.5 }, 0.02), "2%");
  assert.equal(cost({ win: 0.59 }, { win: 0.58 }, 0.02, 3), "1% of the game");
  assert.equal(cost({}, {}, 0, 3), "3 points");
});

test("a finished game is shared as a picture, a GIF and a link", () => {
  click(labelled("Share", document.querySelector(".beside")));
  const dialog = document.querySelector("dialog.share");
  assert.deepEqual($$(".ways > *", dialog).map((n) => [n.textContent, n.getAttribute("href")]), [["Picture", "/g/abc/picture.png"], ["GIF", "/g/abc/files/replay"], ["Copy link", null]]);
  click(dialog.querySelector("[aria-label=Close]"));
});
