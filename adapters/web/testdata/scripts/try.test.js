// Tests of the daily board.

import test from "node:test";
import assert from "node:assert/strict";
import { browse, click, until, refuses, $$, labelled, sight, square } from "./browser.js";

const body = `<h1 id="page-title"></h1><p id="page-said"></p><div id="offline"></div><section id="game"><div id="board" class="board-box"></div></section><div id="beside"></div><div id="announce"></div>`;
const board = (more = {}) => ({ number: 329, title: "Daily board 329", date: "2026-11-25", over: false, left: 6, digest: "abc", before: "328-en", state: [{ Text: "Until ", Time: "0001-01-01T00:00:00Z" }, { Text: "later", Time: "2025-11-25T00:00:00Z" }, { Text: "." }],
  sight: sight({ players: [], turns: [], supply: "", number: 0, buttons: [] }, { rack: ["H", "O"], lays: "daily", turn: true, exchange: 0, pass: false, hints: false }), ...more });
const one = { level: 3, band: "at least half of the best", play: "8G HO", score: 5 };
let busy = true; // the host refuses the first request
const { answers, of } = browse(body, { data: { base: "/d/329-en" }, url: "https://play.example.org/d/329-en#pass=SECRET", answers: {
  "d/329-en/table": () => (busy ? ((busy = false), refuses("That was a lot at once.", 429)()) : board()), "d/329-en/enter": refuses("That link was used."), "d/329-en/draft": { score: 5, words: [{ text: "HO", score: 5 }] },
  "d/329-en/act": { reply: { text: [{ text: "HO scores 5." }] } },
} });
const { start } = await import("../../static/try.js");
start(document.getElementById("game"));
const $ = (id) => document.getElementById(id);

test("the pass of a link is used once, and the board is shown, even if the host was busy at first", async () => {
  await until(() => of("d/329-en/enter").length === 1);
  assert.equal(location.hash, "");
  await until(() => $("page-title").textContent === "Daily board 329");
  assert.match($("daily-state").textContent, /^Until .*\.$/);
  assert.equal($("daily-tries").hidden, true);
  click(document.querySelector('[aria-label="More"]'));
  assert.deepEqual($$(".extras button").map((b) => b.textContent), ["Sort"]);
});

test("a play is tried from the board, and stands among the tries", async () => {
  click(document.querySelector("[aria-label=\"More\"]"));
  click(square("8G"));
  for (const letter of ["H", "O"]) click(document.querySelector(`.rack [aria-label^="${letter},"]`));
  await until(() => document.querySelector(".play.primary").textContent === "Try 5");
  answers["d/329-en/table"] = board({ left: 5, tries: [one], share: "Rackmate 329" });
  await new Promise((done) => setTimeout(done, 450)); // a press right after a change of the board is ignored
  click(document.querySelector(".play.primary"));
  await until(() => of("d/329-en/act").length === 1);
  assert.equal(of("d/329-en/act")[0].command, "daily");
  await until(() => $("page-said").textContent === "HO scores 5.");
  await until(() => $$("#daily-tries li").length === 1);
  assert.equal($$("#daily-tries .b3").length, 1);
  click(labelled("Share"));
});

test("a first try needs no name, and is kept under the one that follows", async () => {
  const before = of("d/329-en/act").length;
  answers["d/329-en/table"] = board({ stranger: true });
  document.dispatchEvent(new Event("visibilitychange"));
  await until(() => $("daily-tries").hidden);
  click(square("8G"));
  for (const letter of ["H", "O"]) click(document.querySelector(`.rack [aria-label^="${letter},"]`));
  await until(() => document.querySelector(".play.primary").textContent === "Try 5");
  await new Promise((done) => setTimeout(done, 450));
  click(document.querySelector(".play.primary"));
  await until(() => document.querySelector(".try-name"));
  const form = document.querySelector(".try-name"), sends = () => form.dispatchEvent(new Event("submit", { bubbles: true, cancelable: true }));
  assert.equal(document.activeElement.id, "try-name");
  answers.enter = refuses("No such name.");
  sends();
  await until(() => form.textContent.includes("No such name."));
  answers.enter = ({ name }) => ({ id: "zed", name });
  $("try-name").value = "Zed";
  answers["d/329-en/table"] = board({ left: 5, tries: [one] });
  sends();
  await until(() => of("d/329-en/act").length === before + 2 && !document.querySelector(".try-name"));
  const [tasted, kept] = of("d/329-en/act").slice(-2);
  assert.deepEqual(kept.args, tasted.args);
  assert.notEqual(kept.id, tasted.id);
  await until(() => $$("#daily-tries li").length === 1);
});

test("once it is over it has who played and the best plays, which are laid on the board", async () => {
  answers["d/329-en/table"] = board({ over: true, left: 0, proof: true, after: "330-en", tries: [one], facts: [[{ Text: "The best play was " }, { Text: "OH", Strong: true }]],
    plays: [{ play: "8G OH", score: 9, squares: [111, 112], tiles: ["O", "H"] }, { play: "8G HO", score: 5, squares: [111, 112], tiles: ["H", "O"] }],
    results: [{ place: 1, name: "Ann", score: 5, percent: 55, own: true, tries: [one] }], sight: sight({ players: [], turns: [], number: 7, phase: "over" }, null) });
  document.dispatchEvent(new Event("visibilitychange"));
  await until(() => $$("#daily-plays li").length === 2);
  assert.match($("daily-facts").textContent, /OH/);
  assert.match($("daily-results").textContent, /Ann55 %/);
  assert.deepEqual($$("#daily-ways a").map((a) => a.getAttribute("href")), ["/d/328-en", "/d/330-en", "/d", "/d/329-en/proof"]);
  click($$("#daily-plays button")[1]);
  assert.equal(square("8G").querySelector(".face").firstChild.data, "H");
});
