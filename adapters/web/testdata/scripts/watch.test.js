// Tests of the board of a list of games.

import test from "node:test";
import assert from "node:assert/strict";
import { browse, until, refuses, sight, square } from "./browser.js";

const list = (...games) => games.map(([page, number]) => `<li data-path="${page}" data-number="${number}"></li>`).join("");
const board = Array(225).fill("");
board[112] = "Q";
const { answers } = browse(`<section id="featured" hidden><div class="board-box"></div><p><a></a></p></section><ul id="games">${list(["/g/one", 5], ["/g/two", 7])}</ul><div id="announce"></div><div id="offline"></div>`, {
  url: "https://play.example.org/live",
  answers: { "g/one/table": { sight: sight({}, null) }, "g/two/table": { sight: sight({ table: 2, board }, null) } },
});
const { start } = await import("../../static/watch.js");
const featured = document.getElementById("featured"), games = document.getElementById("games");
const drawn = start(featured);

test("the first game is shown, then the one in which something happens", async () => {
  drawn();
  await until(() => !featured.hidden && games.querySelector(".shown")?.dataset.path === "/g/one");
  games.innerHTML = list(["/g/one", 5], ["/g/two", 8]);
  drawn();
  await until(() => square("8H")?.querySelector(".face"), undefined);
  assert.equal(featured.querySelector("a").getAttribute("href"), "/g/two");
});

test("a game that isn't for everybody any more is shown no longer", async () => {
  answers["g/two/table"] = refuses("It isn't open to you.", 404);
  games.innerHTML = list(["/g/two", 9]);
  drawn();
  await until(() => featured.hidden);
});
