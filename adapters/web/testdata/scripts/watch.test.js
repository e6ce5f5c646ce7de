// Tests of the page of the games that are on.

import test from "node:test";
import assert from "node:assert/strict";
import { browse, until, refuses, $$, sight, square } from "./browser.js";

const game = (page, number) => ({ page, number, caption: "Ann passed", players: [{ name: "Ann", score: 14, toMove: true }, { name: "Bob", score: 3 }] });
const board = Array(225).fill("");
board[112] = "Q";
const { answers, sources } = browse(`<section id="featured" hidden><div id="board"></div><a id="featured-link"></a></section><div id="games"></div><div id="announce"></div><div id="offline"></div>`, {
  url: "https://play.example.org/live",
  answers: { "live/games": { games: [game("/g/one", 5), game("/g/two", 7)] }, "g/one/table": { sight: sight({}, null) }, "g/two/table": { sight: sight({ table: 2, board }, null) } },
});
await import("../../static/watch.js");

test("the first game is shown, then the one in which something happens", async () => {
  await until(() => !document.getElementById("featured").hidden && $$(".live-games li").length === 2);
  assert.match($$(".live-games .shown")[0].textContent, /▸ Ann 14.*Ann passed/);
  answers["live/games"] = { games: [game("/g/one", 5), game("/g/two", 8)] };
  sources[0].tell("table", {});
  await until(() => square("8H")?.querySelector(".face"), undefined);
  assert.equal(document.getElementById("featured-link").getAttribute("href"), "/g/two");
});

test("a game that isn't for everybody any more is shown no longer", async () => {
  answers["g/two/table"] = refuses("It isn't open to you.", 404);
  answers["live/games"] = { games: [game("/g/two", 9)] };
  sources[0].tell("table", {});
  await until(() => document.getElementById("featured").hidden);
});
