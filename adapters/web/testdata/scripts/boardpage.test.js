// Tests of pages with a board.

import test from "node:test";
import { browse, until, sight } from "./browser.js";

browse(`<main id="blocks"><section id="featured" data-does="watch" hidden><div class="board-box"></div><p><a></a></p></section><ul id="games"><li data-path="/g/one" data-number="5"></li></ul></main><div id="announce"></div><div id="offline"></div>`, {
  data: { base: "/live" }, url: "https://play.example.org/live", answers: { "g/one/table": { sight: sight({}, null) } },
});
await import("../../static/boardpage.js");

test("the script of the board is started", async () => {
  await until(() => !document.getElementById("featured").hidden);
});
