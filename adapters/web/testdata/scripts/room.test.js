// Tests of the room's page: one person, and a host that answers as a test sets it up.

import test from "node:test";
import assert from "node:assert/strict";
import { browse, room, click, key, until, refuses, $$, labelled, sight, square } from "./browser.js";

const me = { id: "ann", name: "Ann" }, bob = { id: "bob", name: "Bob", here: true };
const option = (name, required, choices) => ({ name, help: `help of ${name}`, required, choices });
const commands = [
  { name: "new", help: "Open a table", example: "/new", options: [option("robots", false, [{ value: "beginner", label: "Beginner" }, { value: "casual", label: "Casual" }, { value: "expert", label: "Expert" }]), option("variant", false, [{ value: "ordinary", label: "Ordinary: as you know it" }, { value: "classic", label: "Classic" }, { value: "duplicate", label: "Duplicate", without: ["clock", "pace", "order"] }]), option("language", false), option("rules", false, [{ value: "classic", label: "Classic: free challenges" }, { value: "x", label: "X".repeat(70) }]), option("clock", false), option("challenge", false, [{ value: "single", label: "Single: a wrong challenge costs nothing" }])] },
  { name: "play", help: "Play a word", example: "/play horn 8h", options: [option("word", true), option("at", false)] },
  { name: "history", own: "verlauf", help: "The moves", example: "/history", options: [] },
  { name: "submit", help: "Submit a word", example: "/submit", options: [] },
  { name: "export", help: "Save the game", example: "/export", options: [] },
  { name: "ban", help: "Ban a person", example: "/ban @bob", options: [], manages: true },
];
const plainBoard = { size: 15, squares: ".".repeat(225), board: Array(225).fill("") };
const said = (number, text, more = {}) => ({ stream: "general", number, id: "m" + number, at: Date.now() - 1000 * (100 - number), from: bob, text: [{ text }], ...more });

const today = { path: "/d/329-en", table: { sight: sight({ players: [], turns: [] }), state: [{ Text: "You have six tries." }], streak: "12 days", tries: [{ level: 2, band: "good", play: "8H HO", score: 12 }], left: 5 } };
let busy = true; // the host refuses the first request for the daily board

const place = browse(room(), { url: "https://play.example.org/#general", answers: {
  games: { mine: [], open: [], running: [], finished: [], waiting: false, seeks: [] }, "d/today": () => (busy ? ((busy = false), refuses("That was a lot at once.", 429)()) : today),
  me: { me: null, commands: commands.slice(0, 1) }, commands,
  enter: ({ name }) => (name === "?" ? refuses("No such name.")() : me),
  messages: ({ stream, before }) => ({ messages: stream !== "general" ? [] : before > 2 ? [said(1, "first"), said(2, "second")] : before ? [] : [said(3, "hello @Ann", { text: [{ text: "hello " }, { text: "@Ann", person: "ann", notify: true }] })] }),
  running: { games: [{ stream: "late-night", phase: "lobby", players: ["Eve"], seats: 2 }] },
  new: { usual: {}, languages: [] }, table: {}, rack: {}, complete: { choices: [] }, people: { people: [] }, say: {}, read: {}, press: { reply: { text: [{ text: "Pressed." }] } },
} });
const { asked, sources, answers, of } = place;
const box = () => document.getElementById("box");
const types = (text) => {
  box().focus();
  box().value = text;
  box().setSelectionRange(text.length, text.length);
  box().dispatchEvent(new Event("input", { bubbles: true }));
};
const sends = (text) => {
  types(text);
  key(box(), "Escape");
  key(box(), "Enter");
};
const shown = (selector) => document.querySelector(selector)?.textContent ?? "";
const live = () => sources.at(-1);
const hello = () => live().tell("hello", { me, people: [bob, { id: "eve", name: "Eve" }], here: 2, streams: [
  { id: "general", kind: "channel", last: 3, read: 2, unread: 1, mentions: 1 }, { id: "dm.ann", kind: "host", last: 0, read: 0, unread: 0, mentions: 0 }, { id: "dm.ann.bob", kind: "direct", with: "bob", last: 0, read: 0, unread: 0, mentions: 0 }] });

document.hasFocus = () => true;
await import("../../static/door.js");

test("a name that is refused, and one that isn't", async () => {
  await until(() => !document.getElementById("entry").hidden);
  const field = document.getElementById("entry-name"), form = document.getElementById("entry-form");
  const send = () => form.dispatchEvent(new Event("submit", { bubbles: true, cancelable: true }));
  field.value = "?";
  send();
  await until(() => shown("#entry-error") === "No such name.");
  field.value = "Ann";
  send();
  await until(() => sources.length > 0);
  hello();
  await until(() => shown("#messages").includes("hello @Ann"));
  assert.equal(shown("#title"), "#general");
  assert.match(shown("#people"), /Bob/);
  assert.ok(document.querySelector(".message.mention .you"));
});

test("what is older comes when one scrolls up", async () => {
  document.getElementById("scroll").dispatchEvent(new Event("scroll"));
  await until(() => shown("#messages").includes("first"));
  assert.deepEqual($$("[data-number]").map((n) => n.dataset.number), ["1", "2", "3"]);
  assert.match(shown(".welcome"), /Welcome to #general/);
});

test("messages arrive, are edited, and are read out", async () => {
  live().tell("message", said(4, "news"));
  await until(() => shown("#announce").includes("Bob: news"));
  live().tell("edit", said(4, "olds"));
  await until(() => shown("#messages").includes("olds"));
  live().tell("message", said(7, "seven"));
  answers.messages = () => ({ messages: [5, 6, 7].map((n) => said(n, "m" + n)) });
  await until(() => shown("#messages").includes("m6"));
  live().tell("read", { stream: "general", read: 7 });
});

test("what one says is on its way until it is there", async () => {
  let arrives;
  answers.say = () => new Promise((done) => (arrives = done));
  sends("hi all");
  await until(() => shown(".pending").includes("hi all"));
  await until(() => arrives);
  arrives({});
  const { id } = of("say").at(-1);
  live().tell("message", said(8, "hi all", { id, from: me }));
  await until(() => !document.querySelector(".pending"));
  answers.say = refuses("Too long.");
  sends("too long");
  await until(() => shown("#problem") === "Too long.");
  assert.equal(box().value, "too long");
  answers.say = {};
});

test("a command's private answer, and what its button does", async () => {
  answers.say = { reply: { text: [{ text: "Your game: " }, { text: "x y\nz", code: true }, { text: "there", link: "https://example.org/" }, { text: "a".repeat(64), code: true }, { text: "now", time: 1000 }], buttons: [{ id: "b", label: "Again" }, { label: "More", type: "/history " }, { label: "Out", link: "https://example.org/" }], picture: { src: "/p.png", alt: "A board", width: 10, height: 10 }, files: [{ name: "game.gcg", type: "text/plain", data: "eA==" }] } };
  sends("/history");
  await until(() => shown(".answer").includes("Your game"));
  click(labelled("Again"));
  await until(() => shown(".answer").includes("Pressed."));
  answers.say = { reply: { text: [{ text: "No." }], refused: true, buttons: [{ label: "More", type: "/history " }] } };
  sends("/export");
  await until(() => shown(".answer.refused").includes("No."));
  click(labelled("More"));
  assert.equal(box().value, "/history ");
  click(document.querySelector(".answer.refused .private .link"));
  assert.equal(document.querySelector(".answer.refused"), null);
  answers.say = {};
});

test("a command that is mistyped is asked about", async () => {
  sends("/hostory");
  await until(() => shown(".answer.refused").includes("Did you mean /history?"));
  click(labelled("/history"));
  await until(() => of("say").at(-1).text === "/history");
  types("");
});

test("suggestions: commands, people, options", async () => {
  types("/");
  await until(() => $$("#menu-list li").length === commands.length - 1); // what is for keepers is not offered to others
  types("/pl");
  assert.match(shown("#menu-list [aria-selected='true']"), /\/play/);
  key(box(), "ArrowDown");
  key(box(), "ArrowUp");
  key(box(), "Tab");
  assert.equal(box().value, "/play ");
  answers.complete = { option: "word", choices: [{ insert: "horn", label: "HORN", help: "HORN 8H", open: true }] };
  types("/play h");
  await until(() => shown("#menu-list").includes("HORN"));
  assert.match(shown("#menu-head .now"), /word/);
  key(box(), "ArrowDown");
  key(box(), "Enter");
  assert.equal(box().value, "/play horn");
  types("/verl");
  assert.match(shown("#menu-list"), /\/verlauf/);
  types("/zzz");
  assert.equal(document.getElementById("menu").hidden, true);
  types("@bo");
  assert.match(shown("#menu-list"), /Bob/);
  key(box(), "Escape");
  types("");
  key(box(), "ArrowUp");
  assert.match(box().value, /^\//, "the command before comes back");
  key(box(), "ArrowDown");
  types("");
});

test("the table of the channel is played on", async () => {
  const turns = [{ number: 1, player: "Bob", text: "HO 8G", score: 8, total: 8, changes: [{ square: 111, tile: "H" }] }];
  answers.table = { sight: sight({ turns }) };
  answers.act = { reply: { text: [{ text: "It stands." }], buttons: [{ id: "1:c", label: "Challenge" }], picture: null } };
  answers.draft = { score: 8, words: [{ text: "HO", score: 8 }] };
  live().tell("message", said(9, "Bob plays HO", { from: undefined, table: 1, line: [{ text: "Bob: HO for 8" }], buttons: [{ id: "x", label: "Rack" }] }));
  await until(() => !document.getElementById("game").hidden);
  assert.ok(document.querySelector(".message.folded"));
  click(square("8H"));
  for (const c of "ho") key(document.activeElement, c);
  await until(() => !document.querySelector(".controls .play").hasAttribute("aria-disabled"));
  click(document.querySelector(".controls .play"));
  await until(() => of("act").length === 1);
  assert.equal(of("act")[0].stream, "general");
  await until(() => labelled("Challenge"));
  click(document.querySelector('.acts [aria-label="More"]'));
  click(labelled("Unseen tiles"));
  await until(() => of("press").at(-1).button === "1:1:10:unseen:");
  click(document.querySelector(".message.folded .fold"));
  assert.equal(document.querySelector(".message.folded"), null);
});

test("a play without its slash is asked about", async () => {
  sends("play horn 8h");
  await until(() => shown(".answer.refused").includes("Everybody here would see that"));
  answers.complete = { choices: [{ insert: "8H", label: "8H" }] };
  sends("horn");
  await until(() => shown(".answer.refused").includes("You could play HORN now"));
  click(labelled("Send as a message"));
  await until(() => of("say").at(-1).text === "horn");
});

test("the rack that somebody asked for stands above the box, and no other does", async () => {
  answers.table = {};
  answers.rack = { reply: { text: [{ text: "Your rack: A B" }], rack: true, buttons: [{ id: "s", label: "Shuffle it" }], picture: { alt: "the rack" } } };
  live().tell("message", said(10, "A table closes.", { from: undefined, table: 1 }));
  await until(() => shown("#messages").includes("A table closes."));
  assert.deepEqual([of("rack"), document.getElementById("dock").hidden], [[], true]);
  answers.say = answers.rack;
  sends("/rack");
  await until(() => shown("#dock").includes("Your rack: A B"));
  answers.say = {};
  answers.press = { reply: { text: [{ text: "Your rack: B A" }], rack: true } };
  click(labelled("Shuffle it"));
  await until(() => shown("#dock").includes("Your rack: B A"));
  click(document.querySelector("#dock > .icon-button"));
  assert.equal(document.getElementById("dock").hidden, true);
});

test("other conversations, by the list and by keys", async () => {
  answers.messages = { messages: [] };
  answers.direct = { id: "dm.ann.bob", kind: "direct", with: "bob", last: 0, read: 0, unread: 0, mentions: 0 };
  click($$("#people .line")[0]);
  await until(() => of("direct").length === 1);
  location.hash = "dm.ann.bob";
  dispatchEvent(new Event("hashchange"));
  await until(() => shown(".welcome").includes("Nobody else can read"));
  live().tell("message", { ...said(11, "come back"), text: [{ text: "come back" }, { text: "@Ann", person: "ann", notify: true }] });
  await until(() => document.title.startsWith("(1)"));
  key(document.body, "ArrowDown", { altKey: true });
  dispatchEvent(new Event("hashchange"));
  location.hash = "general";
  dispatchEvent(new Event("hashchange"));
  await until(() => shown("#title") === "#general");
});

test("people come, are renamed, and go", async () => {
  live().tell("person", { id: "carl", name: "Carl", here: true });
  assert.match(shown("#people"), /Carl/);
  live().tell("person", { id: "carl", name: "Charles", here: true });
  assert.match(shown("#people"), /Charles/);
  live().tell("person", { id: "carl", name: "Charles", gone: true });
  assert.doesNotMatch(shown("#people"), /Charles/);
  live().tell("here", { here: 7 });
  live().tell("stream", { id: "quiet-room", kind: "channel" });
  assert.match(shown("#channels"), /quiet-room/);
});

test("the menu of a person reports, blocks, mutes", async () => {
  const opens = async (button) => {
    const before = $$("dialog.sheet").length;
    click($$(button)[0]);
    await until(() => $$("dialog.sheet").length > before);
    return $$("dialog.sheet").at(-1);
  };
  let menu = await opens("#people .more");
  assert.equal(menu.querySelector(".order-list .button").textContent, "Profile");
  assert.equal(menu.querySelector(".order-list a").getAttribute("href"), "/@Bob");
  click(labelled("Challenge Bob to a game", menu));
  await until(() => of("say").at(-1).text === "/new @Bob");
  menu = await opens("#people .more");
  click(labelled("Report…", menu));
  menu.querySelector("form").dispatchEvent(new Event("submit", { bubbles: true, cancelable: true }));
  await until(() => of("say").at(-1).text.startsWith("/report @Bob why:rude"));
  menu = await opens("#people .more");
  click(labelled("Block Bob", menu));
  await until(() => of("say").at(-1).text === "/block @Bob");
  menu = await opens("#messages .more");
  click(menu.querySelector(".close"));
});

const card = () => document.getElementById("new-form");
const submits = () => card().dispatchEvent(new Event("submit", { bubbles: true, cancelable: true }));
const picks = (name, value) => {
  const box = card().querySelector(`[name="${name}"][value="${value}"]`);
  box.checked = true;
  box.dispatchEvent(new Event("change", { bubbles: true }));
};
const selects = (id, value) => {
  const box = document.getElementById(id);
  box.value = value;
  box.dispatchEvent(new Event("change", { bubbles: true }));
};

test("the card of a new game shows what is usual, and begins with what was chosen last", async () => {
  answers.new = { usual: { rules: "classic", challenge: "single", language: "en", pace: "none" }, languages: [{ value: "en", label: "English" }, { value: "de", label: "German" }] };
  click(document.getElementById("new-game"));
  await until(() => $$("#new-language option").length === 2);
  assert.equal(document.getElementById("new-language").value, "en");
  assert.doesNotMatch(card().textContent, /default/i);
  assert.equal(shown("#new-form [type=submit]"), "Play now");
  picks("who", "friend");
  assert.equal(shown("#new-form [type=submit]"), "Get a link");
  picks("opponents", "bob");
  assert.equal(shown("#new-form [type=submit]"), "Invite");
  picks("time", "5m+3s");
  assert.match(shown("#new-fields"), /5 minutes each, plus 3 seconds a turn/);
  selects("new-language", "de");
  selects("new-variant", "classic");
  answers.say = { reply: { text: [{ text: "No." }], refused: true } };
  submits();
  await until(() => shown("#new-form .error") === "No.");
  assert.equal(document.getElementById("new-dialog").open, true);
  answers.say = { reply: { text: [{ text: "A table." }] } };
  submits();
  await until(() => !document.getElementById("new-dialog").open);
  assert.equal(of("say").at(-1).text, "/new @Bob language:de clock:5m+3s variant:classic");
  click(document.getElementById("new-game"));
  await until(() => document.getElementById("new-dialog").open);
  assert.equal(card().querySelector("[name=time]:checked").value, "5m+3s");
  picks("time", "other");
  const minutes = document.getElementById("new-minutes");
  minutes.value = "1";
  minutes.dispatchEvent(new Event("input", { bubbles: true }));
  picks("who", "anybody");
  selects("new-variant", "ordinary");
  submits();
  await until(() => of("say").at(-1).text === "/new language:de clock:1m+3s seats:2" && !document.getElementById("new-dialog").open);
});

test("a link for a friend has the game's time; nobody is asked for a time in a variant with its own", async () => {
  answers.friend = { link: "https://play.example.org/in/ABCD", size: 21, path: "M0 0h1v1h-1z" };
  click(document.getElementById("new-game"));
  await until(() => document.getElementById("new-dialog").open);
  picks("who", "friend");
  picks("time", "3m");
  submits();
  await until(() => shown("#new-form").includes("https://play.example.org/in/ABCD"));
  assert.deepEqual(of("friend").at(-1), { options: { language: "de", clock: "3m" } });
  assert.doesNotMatch(shown("#new-form"), /this computer only/);
  for (const host of ["localhost:8080", "127.0.0.1:8080", "[::1]:8080"]) {
    answers.friend.link = `http://${host}/in/ABCD`;
    submits();
    await until(() => shown("#new-form").includes(answers.friend.link));
    assert.match(shown("#new-form"), /This link works on this computer only\. .*--listen :8080 --host NAME/);
  }
  selects("new-variant", "duplicate");
  assert.equal(document.getElementById("new-time").closest("fieldset").hidden, true);
  picks("who", "robot");
  document.getElementById("new-level").value = "0";
  document.getElementById("new-level").dispatchEvent(new Event("input", { bubbles: true }));
  selects("new-variant", "ordinary");
  submits();
  await until(() => of("say").at(-1).text.startsWith("/new robots:"));
  assert.match(of("say").at(-1).text, / language:de clock:3m$/);
});

test("dialogs: commands, a channel, oneself", async () => {
  answers.channels = ({ name }) => (name ? { id: "late", kind: "channel", last: 0, read: 0, unread: 0, mentions: 0 } : refuses("It needs a name.")());
  answers.rename = {};
  click(document.getElementById("help"));
  await until(() => /\/verlauf/.test(shown("#command-list")));
  assert.doesNotMatch(shown("#command-list"), /\/ban/);
  click($$("#command-list button")[0]);
  click(document.getElementById("add-channel"));
  const form = document.getElementById("channel-form");
  form.dispatchEvent(new Event("submit", { bubbles: true, cancelable: true }));
  await until(() => shown("#channel-error") === "It needs a name.");
  document.getElementById("channel-name").value = "late";
  form.dispatchEvent(new Event("submit", { bubbles: true, cancelable: true }));
  await until(() => location.hash === "#late");
  click(document.getElementById("me"));
  document.getElementById("me-form").dispatchEvent(new Event("submit", { bubbles: true, cancelable: true }));
  await until(() => of("rename").length === 1);
  const theme = document.getElementById("set-theme");
  theme.value = "cb";
  theme.dispatchEvent(new Event("change"));
  assert.equal(document.documentElement.getAttribute("data-theme"), "cb");
  answers.recovery = { code: "ABCD-EFGH" };
  click(document.getElementById("new-recovery"));
  await until(() => shown("#recovery-here").includes("ABCD-EFGH"));
  answers["end-others"] = {};
  click(document.getElementById("end-others"));
  await until(() => shown("#others-said").includes("Done"));
});

test("a page that is left gives its connection back", () => {
  const left = live(), before = sources.length;
  dispatchEvent(new Event("pagehide"));
  assert.equal(left.readyState, EventSource.CLOSED);
  dispatchEvent(new Event("pageshow"));
  assert.equal(sources.length, before + 1, "and has another when the person comes back");
});

test("a connection that breaks is made again", async () => {
  const before = sources.length;
  live().readyState = 2;
  live().onerror();
  dispatchEvent(new Event("online"));
  assert.equal(sources.length, before + 1);
  hello();
  assert.equal(asked.filter(([path]) => path === "me").length, 1);
});

test("what stands keeps its buttons, whatever comes after it", async () => {
  const pressed = (name) => $$("button").some((b) => b.textContent.trim() === name);
  live().tell("message", { ...said(1, "Spring is open.", { from: undefined, standing: "tournament 1 open 0", buttons: [{ id: "a", label: "Enter Spring" }] }), stream: "late" });
  live().tell("message", { ...said(2, "The day's board.", { from: undefined, standing: "daily", buttons: [{ id: "b", label: "Play the day" }] }), stream: "late" });
  live().tell("message", { ...said(3, "The next day's board.", { from: undefined, standing: "daily", buttons: [{ id: "c", label: "Play the next" }] }), stream: "late" });
  live().tell("message", { ...said(4, "Something else.", { from: undefined, buttons: [{ id: "d", label: "Something" }] }), stream: "late" });
  await until(() => pressed("Something"));
  assert.ok(pressed("Enter Spring") && pressed("Play the next"));
  assert.ok(!pressed("Play the day"));
});

test("an answer's menus, and a button that asks for one value", async () => {
  const before = answers.press;
  answers.say = { reply: { text: [{ text: "Spring: choose a game or a player." }], menus: [{ id: "1:0:0:tournament:do=game&e=1&g=", label: "Enter a result", choices: [{ value: "1.0", label: "1. Ann – Bob" }] }] } };
  answers.press = { reply: { text: [{ text: "Table 1: Ann – Bob." }], buttons: [{ id: "1:0:0:tournament:do=result&e=1&score=", label: "Enter the score", ask: true }] } };
  sends("/tournament");
  await until(() => document.querySelector(".answer .menus select"));
  const menu = document.querySelector(".answer .menus select");
  menu.value = "1.0";
  menu.dispatchEvent(new Event("change"));
  await until(() => document.querySelector(".answer .ask input"));
  document.querySelector(".answer .ask input").value = "412-377";
  document.querySelector(".answer .ask").dispatchEvent(new Event("submit", { cancelable: true }));
  await until(() => of("press").at(-1).button.includes("score"));
  assert.deepEqual(of("press").slice(-2).map((sent) => sent.button), ["1:0:0:tournament:do=game&e=1&g=1.0", "1:0:0:tournament:do=result&e=1&score=412-377"]);
  document.querySelectorAll(".answer .private .link").forEach((dismiss) => dismiss.click());
  Object.assign(answers, { press: before, say: {} });
});

test("a digest is in small type", async () => {
  const text = [{ text: "Ann wants to play.\n" }, { text: "Fair draws: ", small: true }, { text: "abcd-efgh", code: true, small: true }];
  live().tell("message", { ...said(5, "", { from: undefined, text, table: 3 }), stream: "late" });
  await until(() => document.querySelector('[data-number="5"] small'));
  assert.equal([...document.querySelectorAll('[data-number="5"] small')].map((s) => s.textContent).join(""), "Fair draws: abcd-efgh");
  live().tell("message", { ...said(6, "Something more.", { from: undefined }), stream: "late" });
});

test("a game beside a channel is called by its players, and is no channel", async () => {
  const id = "general.28504fcd4efcc40d";
  live().tell("message", { ...said(1, "The game begins.", { from: undefined, table: 9 }), stream: id });
  await until(() => of("table").length);
  assert.doesNotMatch(document.body.textContent, /28504fcd/);
  assert.doesNotMatch(shown("#channels"), /general\./);
  answers.games = { mine: [{ page: "/g/nine", stream: id, phase: "playing", seats: 2, turn: true, board: plainBoard, players: [{ name: "Bob", score: 0 }, { name: "Ann", score: 0, own: true }] }], open: [], running: [], finished: [], waiting: false, seeks: [] };
  answers.table = { sight: sight({ table: 9 }), stream: id, page: "/g/nine" };
  location.hash = id;
  dispatchEvent(new Event("hashchange"));
  await until(() => shown("#own-games").includes("Bob"));
  await until(() => shown("#title") === "Bob");
  assert.equal(document.title.includes("28504fcd"), false);
  assert.doesNotMatch(document.body.textContent, /28504fcd/);
  assert.doesNotMatch(document.getElementById("box").placeholder, /28504fcd/);
});

test("the end of a game stays until one leaves it, whatever opens there later", async () => {
  const over = { sight: sight({ table: 11, phase: "over" }), stream: "general", page: "/g/eleven" };
  const later = { sight: sight({ table: 12, phase: "lobby", own: undefined, players: [{ id: "web:eve", name: "Eve", score: 0 }] }), stream: "general", page: "/g/twelve" };
  answers.table = { ...over, sight: sight({ table: 11 }) };
  location.hash = "general";
  dispatchEvent(new Event("hashchange"));
  await until(() => location.pathname === "/g/eleven");
  answers.table = over;
  live().tell("message", said(20, "Ann wins.", { from: undefined, table: 11 }));
  await until(() => !document.getElementById("after").hidden);
  answers.table = ({ key }) => (key === "eleven" ? over : later);
  live().tell("message", said(21, "Eve wants to play.", { from: undefined, table: 12 }));
  await until(() => shown("#after").includes("another table here now: Eve"));
  assert.equal(location.pathname, "/g/eleven");
  assert.equal(document.getElementById("game").hidden, false);
  // Nor does a game in which one sits already take its place, unless one has asked for it.
  const own = { ...later, sight: sight({ table: 12 }) };
  answers.table = ({ key }) => (key === "eleven" ? over : own);
  const before = of("table").length;
  live().tell("message", said(22, "Eve plays.", { from: undefined, table: 12 }));
  await until(() => of("table").length >= before + 2);
  assert.equal(location.pathname, "/g/eleven");
  // An opponent who waits at a new table wants a rematch. A phone says so below the board.
  const rematch = { ...later, sight: sight({ table: 12, phase: "lobby", own: undefined, players: [{ id: "web:bob", name: "Bob", score: 0 }] }) };
  answers.table = ({ key }) => (key === "eleven" ? { ...over, sight: { ...over.sight, seat: 0 } } : rematch);
  live().tell("message", said(23, "Bob wants to play.", { from: undefined, table: 12 }));
  await until(() => shown("#after").includes("Bob wants a rematch."));
  assert.equal(shown("#strip"), "Bob wants a rematch.");
  answers.table = ({ key }) => (key === "eleven" ? over : own);
  click(labelled("Look", document.getElementById("after")));
  await until(() => location.pathname === "/g/twelve");
  answers.table = {};
});

test("a game's page leaves the focus out of the chat, where typing still arrives", async () => {
  answers.table = { sight: sight({ table: 15 }), stream: "late", page: "/g/fifteen", old: true };
  history.pushState(null, "", "/g/fifteen");
  dispatchEvent(new Event("moved"));
  await until(() => document.activeElement.id === "title");
  key(document.body, "h");
  assert.equal(document.activeElement, box());
  document.getElementById("title").focus();
  answers.table = {};
  location.hash = "general";
  dispatchEvent(new Event("hashchange"));
  await until(() => shown("#title") === "#general");
  assert.equal(document.activeElement, box());
  answers.look = { id: "dm.ann.g-77", kind: "game", name: "Ann's table", last: 0, read: 0, unread: 0, mentions: 0 };
  location.hash = "dm.ann.g-77";
  dispatchEvent(new Event("hashchange"));
  await until(() => document.activeElement.id === "title");
});

test("each press begins another game against a robot", async () => {
  const before = of("say").length;
  answers.games = { mine: [{ page: "/g/one", stream: "dm.ann", phase: "playing", seats: 2, board: plainBoard, players: [{ name: "Casual", score: 0, robot: true }, { name: "Ann", score: 0, own: true }] }], open: [], running: [], finished: [], waiting: false, seeks: [] };
  live().tell("message", said(23, "Hm.", { from: undefined, table: 12 }));
  answers.look = { id: "dm.ann.g-1234", kind: "game", name: "Ann's table", last: 0, read: 0, unread: 0, mentions: 0 };
  answers.say = { reply: { text: [{ text: "Go to your table", link: "https://play.example.org/#dm.ann.g-1234" }], rack: true } };
  location.hash = "general";
  dispatchEvent(new Event("hashchange"));
  await until(() => shown("#title") === "#general");
  click(labelled("Play a robot"));
  await until(() => of("say").length === before + 1 && location.hash === "#dm.ann.g-1234");
  assert.equal(of("say").at(-1).stream, "dm.ann");
  await until(() => shown("#title") === "Ann's table");
});

test("who sits at a table isn't asked to join it, and who doesn't isn't asked to leave", async () => {
  const buttons = [{ id: "1:13:2:join:", label: "Join it" }, { id: "1:13:2:leave:", label: "Leave it" }, { id: "1:13:2:join:robot=?", label: "Add one" }];
  const offered = () => $$("#messages .buttons .button").map((b) => b.textContent).filter((t) => ["Join it", "Leave it", "Add one"].includes(t));
  answers.table = { sight: sight({ table: 13, phase: "lobby", own: undefined }), stream: "late", page: "/g/thirteen" };
  location.hash = "late";
  dispatchEvent(new Event("hashchange"));
  live().tell("message", { ...said(7, "A table.", { from: undefined, table: 13, buttons }), stream: "late" });
  await until(() => offered().length === 2);
  assert.deepEqual(offered(), ["Join it", "Add one"]);
  answers.table = { sight: sight({ table: 13, phase: "lobby", own: undefined, seat: 0 }), stream: "late", page: "/g/thirteen" };
  live().tell("message", { ...said(8, "Ann sits down.", { from: undefined, table: 13, buttons }), stream: "late" });
  await until(() => offered().includes("Leave it"));
  assert.deepEqual(offered(), ["Leave it", "Add one"]);
});

test("a phone's board shows the moves, and their posts are then read, but not what people say", async () => {
  const before = answers.messages, scroll = document.getElementById("scroll"), reads = () => of("read").filter((r) => r.stream === "night").map((r) => r.number);
  const all = [{ ...said(1, "Bob plays HORN.", { from: undefined, table: 14, line: [{ text: "Bob played HORN" }] }), stream: "night" }];
  answers.messages = ({ before: end }) => ({ messages: end ? [] : all });
  answers.table = { sight: sight({ table: 14 }), stream: "night", page: "/g/fourteen" };
  scroll.checkVisibility = () => false;
  live().tell("message", all[0]);
  location.hash = "night";
  dispatchEvent(new Event("hashchange"));
  await until(() => reads().length === 1);
  // Something said is read when the conversation is open, and so are the moves after it.
  all.push({ ...said(2, "Well played!"), stream: "night" }, { ...all[0], number: 3 });
  all.slice(1).forEach((m) => live().tell("message", m));
  await until(() => shown("#messages").includes("Well played!"));
  assert.deepEqual(reads(), [1]);
  delete scroll.checkVisibility;
  Object.assign(answers, { messages: before, table: {} });
  location.hash = "late";
  dispatchEvent(new Event("hashchange"));
  await until(() => shown("#title") === "#late");
});

test("an address that somebody writes is a link", async () => {
  live().tell("message", { ...said(9, "see https://example.org/a?b=1, or (https://play.example.org/g/one)!"), stream: "late" });
  await until(() => document.querySelector('[data-number="9"] .text a'));
  const links = $$('[data-number="9"] .text a');
  assert.deepEqual(links.map((a) => a.getAttribute("href")), ["https://example.org/a?b=1", "/g/one"]);
  assert.deepEqual(links.map((a) => a.getAttribute("target")), ["_blank", null]);
  assert.equal(shown('[data-number="9"] .text'), "see https://example.org/a?b=1, or (https://play.example.org/g/one)!");
});

test("where many people are here, one finds them by their names", async () => {
  assert.equal(document.getElementById("find-people").hidden, true);
  for (let i = 0; i < 20; i++) live().tell("person", { id: "p" + i, name: `Person ${i}`, here: true });
  await until(() => !document.getElementById("find-people").hidden);
  document.getElementById("find-people").value = "son 7";
  document.getElementById("find-people").dispatchEvent(new Event("input"));
  assert.match(shown("#people"), /Person 7/);
  assert.equal($$("#people li").length, 1);
});

test("home has today's board to play on, games by one press, and small boards", async () => {
  const board = Array(225).fill("");
  board[112] = "?H";
  board[113] = "O";
  const game = (page, more) => ({ page, stream: "general", phase: "playing", seats: 2, board: { size: 15, squares: "T" + ".".repeat(224), board, fresh: [113] }, players: [{ name: "Cat", score: 30, toMove: true }, { name: "Casual (robot)", score: 40, robot: true }], ...more });
  answers.games = { mine: [game("/g/theirs"), game("/g/mine", { turn: true })], open: [game("/g/open", { phase: "lobby" })], running: [game("/g/live")], finished: [game("/g/done", { phase: "over" })], events: [{ page: "/e/1-abc", name: "Spring" }], waiting: false, seeks: [{ id: "eve", name: "Eve", options: { clock: "5m+3s" } }] };
  document.getElementById("to-home").dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true }));
  await until(() => document.querySelector(".today [data-square]") && shown(".today-state").includes("six tries"));
  assert.match(shown(".streak"), /12 days/);
  assert.equal($$(".today-tries .b2").length, 1);
  assert.equal(document.querySelector(".today-way").getAttribute("href"), "/d/329-en");
  await until(() => $$(".own-boards .board-card").length === 2);
  assert.deepEqual($$(".own-boards .board-card").map((a) => a.getAttribute("href")), ["/g/mine", "/g/theirs"], "my turn comes first");
  assert.match(shown(".own-boards .turn"), /Your move/);
  assert.deepEqual($$(".others-boards .board-card").map((a) => a.getAttribute("href")), ["/g/live", "/g/done"]);
  assert.equal($$(".others-boards .mini .fresh").length, 2);
  assert.deepEqual($$("#home .places a").map((a) => [a.getAttribute("href"), a.textContent]), [["/live", "Live"], ["/e/1-abc", "Spring"], ["/top", "Players"], ["/analyse", "Analyse"]]);
  assert.equal(shown(".others-boards .blank"), "H");
  assert.match(shown(".others-boards .won"), /Casual40/);
  assert.match(shown(".waits"), /Eve · 5 minutes each, plus 3 seconds a turn/);
  answers.wait = { stream: "dm.ann.bob" };
  click(labelled("Play now", document.querySelector(".waits")));
  await until(() => of("wait").length === 1 && location.hash === "#dm.ann.bob");
  await until(() => document.activeElement.id === "title");
  assert.equal(of("wait")[0].with, "eve");
  assert.equal(document.querySelector(".home .today"), null, "one board at a time");
  document.getElementById("to-home").dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true }));
  const anybody = document.querySelector('#home [name="with"][value="anybody"]');
  anybody.checked = true;
  anybody.dispatchEvent(new Event("change", { bubbles: true }));
  answers.wait = {};
  answers.games = { ...answers.games, running: [], finished: [], waiting: true };
  click($$("#home .time")[1]);
  await until(() => of("wait").length === 2 && labelled("Stop waiting"));
  assert.deepEqual(of("wait")[1].options, { language: "de", clock: "3m" });
  click(labelled("Stop waiting"));
  await until(() => of("wait").at(-1).off);
});
