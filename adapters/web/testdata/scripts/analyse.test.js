// Tests of the analysis board.

import test from "node:test";
import assert from "node:assert/strict";
import { browse, click, key, until, refuses, $$, labelled, sight, square } from "./browser.js";

const body = `<p id="page-said"></p><section id="game" data-lists="en de"><div id="board"></div></section><div id="beside"></div><div id="offline"></div><div id="announce"></div>`;
const empty = Array(15).fill("15").join("/");
const play = { text: "HORN 8H", step: "8H HORN", points: 14, equity: 20, squares: [112, 113, 114, 115], tiles: [..."HORN"], reason: "Keeps S, worth 6." };
const analysis = ({ cgp, steps, judge, try: tried }) => {
  if (tried) return { draft: { score: 14, words: [] } };
  if (steps.some((s) => s === "rack QQ")) return refuses("Too many tiles.")();
  const rack = steps.findLast((s) => s.startsWith("rack "))?.slice(5) ?? (cgp || " /").split(" ")[1].split("/")[0];
  return {
    sight: sight({ table: 0, number: 0, phase: "over", caption: "" }, { seat: -1, rack: [...rack] }), cgp: cgp || `${empty} ${rack}/ 0/0 0`, list: "en", last: steps.at(-1) ?? "",
    count: rack ? 1 : 0, ...(judge ? { best: [play], ending: [play], proven: true, value: 20 } : { plays: rack ? [play] : [] }),
  };
};
const { answers, of } = browse(body, { url: "https://play.example.org/analyse", answers: {
  "analyse/ask": analysis,
  "analyse/game": { positions: [{ cgp: `${empty} HORNS/ 0/0 0`, player: "Ann", move: "8H HORN", score: 14 }, { cgp: `${empty} SO/ 0/14 0`, player: "Bob", move: "", score: 0 }] },
} });
const { start } = await import("../../static/analyse.js");
start(document.getElementById("game"));
const said = () => document.getElementById("page-said").textContent;
const type = (id, value) => {
  document.getElementById(id).value = value;
  document.getElementById(id).dispatchEvent(new Event("change"));
};

test("a rack is typed, and its best moves come with reasons", async () => {
  await until(() => said() === "Type the rack of the side to move.");
  type("rack", "horns");
  await until(() => /Keeps S/.test(document.getElementById("best").textContent));
  assert.match(document.getElementById("best").textContent, /solved.*gains 20 points by it: HORN 8H 14/);
  assert.match(location.hash, /HORNS/);
  click(document.querySelector("#best .turn"));
  assert.equal(square("8H").querySelector(".face").firstChild.data, "H");
});

test("lines branch, and stand in the address", async () => {
  click(labelled("Go on from here"));
  await until(() => /t=0\.8H\+HORN/.test(location.hash));
  type("rack", "QQ");
  await until(() => said() === "Too many tiles.");
  type("rack", "so");
  await until(() => /1\.rack\+SO&n=2/.test(location.hash));
  click(labelled("Where it began"));
  await until(() => !/n=/.test(location.hash));
  click(document.querySelector('[aria-label="More"]'));
  click(labelled("Pass"));
  await until(() => /_0\.pass&n=3/.test(location.hash));
  click(labelled("Remove this line"));
  await until(() => !/pass/.test(location.hash));
  click(document.querySelector("#plays .turn"));
  await until(() => /n=1/.test(location.hash));
});

test("tiles are laid by keys and by pressing letters", async () => {
  await until(() => !document.getElementById("plays").hidden);
  click(document.getElementById("lay"));
  click(square("8H"));
  key(square("8H"), "q");
  key(square("8I"), "I", { shiftKey: true });
  await until(() => /7Qi6/.test(decodeURIComponent(location.hash)));
  click(labelled("Remove", document.getElementById("palette")));
  key(square("8I"), "ArrowDown");
  key(square("8I"), "Backspace");
  click(document.getElementById("lay"));
  click(document.getElementById("clear"));
  await until(() => !/cgp/.test(location.hash));
});

test("positions and games are opened", async () => {
  const open = (text) => {
    document.getElementById("written").value = text;
    click(document.getElementById("read"));
  };
  open(`${empty} AEIN/ 1/2 0`);
  await until(() => /AEIN/.test(location.hash));
  open("#player1 ann Ann");
  await until(() => $$("#moves .turn").length === 2);
  click($$("#moves .turn")[1]);
  await until(() => /SO/.test(location.hash));
  answers["analyse/game"] = refuses("No game.");
  open("> nothing");
  await until(() => said() === "No game.");
  assert.ok(of("analyse/game").length === 2);
});
