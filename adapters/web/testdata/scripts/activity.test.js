// Tests of the board in Discord's client.

import test from "node:test";
import assert from "node:assert/strict";
import { browse, news, click, until, labelled, sight } from "./browser.js";

const { answers, of } = browse(`<h1 id="page-title"></h1><p id="page-said"></p><div id="said-buttons"></div><button id="retry" hidden></button><div id="offline"></div>
<div id="none"><button id="robot"></button><button id="open"></button></div><div id="game"><div id="board"></div></div><div id="announce"></div>`, {
  url: "https://play.example.org/activity/?frame_id=f1&instance_id=i1", data: { application: "app" }, answers: {
    "activity/table": { sight: sight() }, "activity/enter": { bearer: "B" }, "activity/act": { reply: { text: [{ text: "A table is open." }], buttons: [{ id: "x", label: "Join" }] } }, "activity/press": { reply: { text: [{ text: "You sit." }] } }, "activity/live": news(),
  },
});

// Discord's client around the page.
const told = [];
const around = { postMessage([kind, body], origin) {
  told.push([kind, body, origin]);
  const answers = (data) => setTimeout(() => dispatchEvent(Object.assign(new Event("message"), { source: around, origin: "https://discord.com", data: [1, data] })));
  if (kind === 0) answers({ cmd: "DISPATCH", evt: "READY" });
  else answers({ nonce: body.nonce, data: { code: "C" } });
} };
Object.defineProperty(window, "parent", { value: { opener: around } });
await import("../../static/activity.js");

test("Discord says who one is, and the table is there", async () => {
  await until(() => of("activity/enter").length === 1);
  assert.deepEqual(of("activity/enter")[0], { instance: "i1", code: "C" });
  await until(() => document.getElementById("page-title").textContent === "Ann – Bob");
  assert.deepEqual(told.map(([kind, , origin]) => [kind, origin]), [[0, "*"], [1, "https://discord.com"]]);
});

test("a game by one press, and what is offered next", async () => {
  click(document.getElementById("robot"));
  await until(() => labelled("Join"));
  assert.deepEqual(of("activity/act")[0].args, { robots: "casual" });
  click(labelled("Join"));
  await until(() => document.getElementById("page-said").textContent === "You sit.");
});
