// Tests of the board in Discord's client.

import test from "node:test";
import assert from "node:assert/strict";
import { browse, news, click, until, labelled, sight } from "./browser.js";

const { answers, of } = browse(`<h1 id="page-title"></h1><p id="page-said"></p><div id="said-buttons"></div><button id="retry" hidden></button><div id="offline"></div>
<div id="none"><p id="none-said"></p><button id="together" hidden></button><button id="robot"></button><button id="open"></button><ul id="waiting"></ul><ul id="games"></ul><section id="today"></section></div><div id="game"><div id="board"></div><p id="last-word"></p></div>
<div id="around" hidden><ul id="people"></ul><button id="share"></button></div><div id="announce"></div>`, {
  url: "https://play.example.org/activity/?frame_id=f1&instance_id=i1&custom_id=k1.1&referrer_id=2&platform=mobile", data: { application: "app" }, answers: {
    "d/today": { path: "/d/329-en" }, "d/329-en/table": { state: [{ Text: "You have six tries." }], left: 6 },
    "activity/table": { sight: sight(), seats: { 2: 1 } }, "activity/enter": { bearer: "B", locale: "en-GB", access: "A" }, "activity/act": { reply: { text: [{ text: "A table is open." }], buttons: [{ id: "x", label: "Join" }] } }, "activity/press": { reply: { text: [{ text: "You sit." }] } }, "activity/live": news(),
    "activity/share": { custom: "k1", message: "Watch.", link: "0-1" }, "activity/turn": { bearer: "C" }, "activity/lobby": { games: [{ table: 9, turn: true, text: "Ann 3, Bob 4" }], waiting: [{ table: 8, text: "Cat: 1 of 2 seats taken", join: "join 8" }] },
  },
});

// Discord's client, which surrounds the page.
const told = [];
const people = [{ id: "2", username: "bob", nickname: "Captain Bob", avatar: "abc" }, { id: "3", username: "eve", global_name: "Eve", avatar: null }, { id: "4", username: "x", avatar: "../x" }];
const says = (data) => dispatchEvent(Object.assign(new Event("message"), { source: around, origin: "https://discord.com", data: [1, data] }));
const around = { postMessage([kind, body], origin) {
  told.push([kind, body, origin]);
  const answers = (data) => setTimeout(() => says(data));
  if (kind === 0) answers({ cmd: "DISPATCH", evt: "READY" });
  else answers({ nonce: body.nonce, data: { AUTHORIZE: { code: "C" }, USER_SETTINGS_GET_LOCALE: { locale: "de" }, GET_ACTIVITY_INSTANCE_CONNECTED_PARTICIPANTS: { participants: people } }[body.cmd] ?? {} });
} };
const tells = (evt, data) => says({ cmd: "DISPATCH", evt, data });
Object.defineProperty(window, "parent", { value: { opener: around } });
document.documentElement.dataset.languages = "de";
answers["texts/de.json"] = { "watching": "schaut zu" };
await import("../../static/activity.js");

test("Discord says who one is, and the table is there, in its language", async () => {
  await until(() => of("activity/enter").length === 1);
  assert.deepEqual(of("activity/enter")[0], { instance: "i1", code: "C", custom: "k1.1" });
  await until(() => document.getElementById("page-title").textContent === "Ann – Bob");
  assert.deepEqual(told.slice(0, 2).map(([kind, , origin]) => [kind, origin]), [[0, "*"], [1, "https://discord.com"]]);
  assert.ok(told.some(([, body]) => body.cmd === "AUTHENTICATE" && body.args.access_token === "A"));
});

test("who is there, by the server's names: those who play and those who watch", async () => {
  await until(() => document.querySelectorAll("#people li").length === 3);
  const [bob, eve, x] = document.querySelectorAll("#people li");
  assert.equal(bob.textContent, "Captain Bob");
  assert.match(bob.querySelector("img").src, /^https:\/\/cdn\.discordapp\.com\/avatars\/2\/abc\.png/);
  assert.match(eve.textContent, /Eve/);
  assert.ok(eve.querySelector(".quiet") && !bob.querySelector(".quiet"));
  assert.equal(x.querySelector("img"), null);
  await until(() => document.querySelector(".players img.avatar"));
  tells("ACTIVITY_INSTANCE_PARTICIPANTS_UPDATE", { participants: people.slice(1) });
  assert.equal(document.querySelectorAll("#people li").length, 2);
  assert.equal(document.querySelector(".players img.avatar"), null);
});

test("the layouts that Discord tells of, and a phone that grows warm", () => {
  const is = () => document.body.dataset.layout;
  tells("ORIENTATION_UPDATE", { screen_orientation: 0 });
  assert.equal(is(), "tall");
  tells("ORIENTATION_UPDATE", { screen_orientation: 1 });
  assert.equal(is(), "wide");
  for (const [mode, layout] of [[1, "small"], [0, "wide"], [2, "small"], [0, "wide"]]) {
    tells("ACTIVITY_LAYOUT_MODE_UPDATE", { layout_mode: mode });
    assert.equal(is(), layout);
  }
  tells("THERMAL_STATE_UPDATE", { thermal_state: 2 });
  assert.ok(document.body.classList.contains("still"));
});

test("it is shared by Discord's own link", async () => {
  click(document.getElementById("share"));
  await until(() => told.some(([, body]) => body.cmd === "SHARE_LINK"));
  assert.deepEqual(told.find(([, body]) => body.cmd === "SHARE_LINK")[1].args, { message: "Watch.", custom_id: "k1", link_id: "0-1" });
  assert.equal(of("activity/share")[0].access, "A");
});

test("a game by one press, and what is offered next", async () => {
  click(document.getElementById("robot"));
  await until(() => labelled("Join"));
  assert.deepEqual(of("activity/turn").at(-1), { table: 0 });
  assert.deepEqual(of("activity/act")[0].args, { robots: "casual" });
  click(labelled("Join"));
  await until(() => document.getElementById("page-said").textContent === "You sit.");
});

test("where there is no game here, one's others and the tables that wait are a press away", async () => {
  answers["activity/table"] = {};
  tells("ACTIVITY_LAYOUT_MODE_UPDATE", { layout_mode: 0 });
  click(document.getElementById("robot")); // this loads the table again
  await until(() => labelled("Ann 3, Bob 4"));
  assert.equal(document.querySelectorAll("#people .quiet").length, 0); // there is nothing to watch
  click(labelled("Cat: 1 of 2 seats taken"));
  await until(() => of("activity/turn").at(-1).table === 8);
  assert.equal(of("activity/press").at(-1).button, "join 8");
});

test("one press plays with those who are there", async () => {
  assert.equal(document.getElementById("together").hidden, false);
  click(document.getElementById("together"));
  await until(() => of("activity/act").at(-1).args.seats === "2");
});

test("one's other games are a press away", async () => {
  answers["activity/table"] = { sight: sight() };
  click(labelled("Ann 3, Bob 4"));
  await until(() => of("activity/turn").at(-1).table === 9 && document.getElementById("none").hidden);
});
