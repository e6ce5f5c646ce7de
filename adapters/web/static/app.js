// The room, for a person who has come in by the door.

import { say } from "./say.js";
import { $, find, el, icon, announce, online } from "./dom.js";
import { call } from "./api.js";
import { form } from "./form.js";
import { store, on, emit, learn, stream, load, greet, hear, edited, markedRead } from "./store.js";
import { listen } from "./live.js";
import * as view from "./stream.js";
import * as composer from "./composer.js";
import * as side from "./side.js";
import * as game from "./game.js";
import * as fresh from "./new.js";
import * as callback from "./callback.js";
import { settings, choose, languages } from "./settings.js";
import { keeping } from "./more.js";
import * as nav from "./nav.js";
import * as games from "./games.js";

let greeted = false;

/** enter opens the room. @param {Person} me @param {{ commands: Command[], open?: boolean, push?: boolean }} there */
export function enter(me, { commands, open, push }) {
  Object.assign(store, { me, commands, open: Boolean(open) });
  $("room").hidden = false;
  side.start();
  view.start(composer);
  composer.start();
  game.start();
  fresh.start();
  games.start();
  callback.start(Boolean(push));
  dialogs();
  if (nav.isHome()) go(); // a conversation waits for the list of conversations
  nav.follows(go);
  addEventListener("signed-out", () => location.reload());
  find(".skip").addEventListener("click", (e) => {
    e.preventDefault();
    composer.focus();
  });
  on("command", composer.run);
  on("side", () => store.current && view.head());
  listen({
    hello(/** @type {Parameters<typeof greet>[0]} */ h) {
      greet(h);
      if (!greeted && !nav.isHome()) go();
      greeted = true;
      load(stream("dm." + store.me.id)); // for the rack above the message box
    },
    message: hear,
    edit: edited,
    read: markedRead,
    stream(/** @type {StreamInfo} */ info) {
      const s = stream(info.id);
      s.listed = true;
      if (info.name) s.name = info.name;
      emit("side");
    },
    channel(/** @type {{ id: string, name: string, gone?: boolean }} */ c) {
      const s = stream(c.id);
      s.listed = !c.gone;
      if (c.name) s.name = c.name;
      if (c.gone && store.current === c.id) nav.go("/#general");
      emit("side");
    },
    paired,
    person: meet,
    here(/** @type {{ here: number }} */ count) {
      store.here = count.here;
      emit("side");
    },
  }, online);
}

/** @type {typeof import("./home.js") | undefined} */
let shown;

/** home loads the home page's script, which a game doesn't need. */
async function home() {
  if (shown) return shown;
  const page = await import("./home.js");
  if (!shown) page.start();
  return (shown = page);
}

/** paired opens the game of two people who have been paired, unless the person is doing something else. @param {{ stream: string }} met */
function paired({ stream }) {
  if (nav.isHome()) nav.go("/#" + stream, { board: true });
  else games.soon();
  announce(say("Somebody has come to play with you."));
}

// go shows what the address names.
/** @returns {Promise<void>} */
async function go() {
  const at = location.href, { id, number, game: key, board } = nav.where();
  if (nav.isHome()) {
    const page = await home();
    if (location.href !== at) return;
    leave();
    page.show();
    return emit("side");
  }
  try {
    const s = key ? await game.open(key) : stream(id);
    if (!s) return; // already in view
    await known(s);
    if (location.href !== at) return;
    if (!key) s.game = ""; // show the latest table there
    turn(s, board || s.kind === "game");
    if (number) view.find(number);
  } catch {
    if (!key) store.streams.delete(id);
    if (location.href === at) nav.go("/#general");
  }
}

/** known fetches a stream opened by a link, since a thread beside a channel is listed for its players only. @param {Stream} s */
async function known(s) {
  if (s.id === "general" || s.listed || s.name || s.last) return;
  Object.assign(s, await call("look", { stream: s.id }));
}

/** turn shows a stream and its table. @param {Stream} s @param {boolean} board whether it was opened for the table */
function turn(s, board) {
  const before = store.current;
  shown?.hide();
  if (before !== s.id) {
    view.show(s.id);
    game.show(s);
    composer.show(before, { game: board });
  } else game.show(s);
  emit("side");
}

/** leave keeps the draft and hides the game. */
function leave() {
  if (store.current) composer.show(store.current);
  game.hide();
}

// meet updates a person who came, changed or left. A person who is away only for a moment, while
// the page reloads, stays.
/** @type {Map<string, number>} */
const leaving = new Map();

/** @param {Presence} p */
function meet(p) {
  clearTimeout(leaving.get(p.id));
  const take = () => {
    const renamed = store.people.has(p.id) && store.people.get(p.id)?.name !== p.name;
    if (p.gone) store.people.delete(p.id);
    else store.people.set(p.id, p);
    if (p.id === store.me.id) store.me = { id: p.id, name: p.name };
    emit("side");
    if (!store.current) return;
    emit("stream", stream(store.current));
    if (renamed) emit("table", stream(store.current));
  };
  if (store.people.get(p.id)?.here && !p.here && !p.gone) leaving.set(p.id, setTimeout(take, 4000));
  else take();
}

// ---- dialogs

function dialogs() {
  let sure = false; // leaving was pressed once
  for (const dialog of document.querySelectorAll("dialog")) {
    const close = find(".close", dialog);
    close.append(icon("close"));
    close.addEventListener("click", () => dialog.close());
    dialog.addEventListener("click", (e) => {
      const hit = /** @type {HTMLElement} */ (e.target);
      if (hit === dialog || hit.classList.contains("viewer-scroll") || hit.id === "viewer-picture") dialog.close();
    });
  }
  const usage = (/** @type {Command} */ c) => c.options.map((o) => el("span", { class: "option" }, o.required ? composer.shown(o) : `[${composer.shown(o)}]`));
  const entry = (/** @type {Command} */ c) => el("li", {}, el("button", {
    type: "button", onclick: () => {
      $("commands").close();
      composer.insert(`/${composer.shown(c)}${c.options.length ? " " : ""}`);
    },
  }, el("span", { class: "signature" }, el("b", {}, "/" + composer.shown(c)), ...usage(c), c.options.length > 0 && el("span", { class: "example" }, c.example)), el("span", { class: "quiet" }, c.help)));
  for (const about of ["pointerenter", "focus"]) $("help").addEventListener(about, learn);
  $("help").addEventListener("click", async () => {
    await learn();
    $("command-list").replaceChildren(...composer.grouped().map(([title, list]) => el("li", {}, el("h3", {}, title), el("ul", {}, ...list.map(entry)))));
    $("commands").showModal();
  });

  $("add-channel").addEventListener("click", () => {
    $("channel-name").value = "";
    $("channel-error").textContent = "";
    $("channel-dialog").showModal();
  });
  form("channel-form", "channel-error", async () => {
    const info = await call("channels", { name: $("channel-name").value });
    stream(info.id).listed = true;
    $("channel-dialog").close();
    side.drawer(false);
    nav.go("/#" + info.id);
    announce(say("Channel {name} is ready", { name: info.id }));
  });

  $("me").addEventListener("click", () => {
    $("me-name").value = store.me.name;
    $("me-error").textContent = "";
    $("leave").textContent = say("Leave the room");
    sure = false;
    $("me-order").replaceChildren(...keeping(() => $("me-dialog").close()));
    $("me-dialog").showModal();
    callback.ready();
  });
  $("set-language").append(...languages().map(([code, name]) => el("option", { value: code, lang: code }, name)));
  for (const box of /** @type {NodeListOf<HTMLInputElement | HTMLSelectElement>} */ ($("settings").querySelectorAll("select, input"))) {
    const now = settings()[/** @type {"theme"} */ (box.name)], ticks = box instanceof HTMLInputElement;
    if (ticks) box.checked = Boolean(now);
    else box.value = now;
    box.addEventListener("change", () => choose(box.name, ticks ? box.checked : box.value));
  }
  form("me-form", "me-error", async () => {
    await call("rename", { name: $("me-name").value });
    $("me-dialog").close();
  });
  $("leave").addEventListener("click", async () => {
    if (!sure) {
      sure = true;
      $("leave").textContent = say("Yes, leave");
      $("me-error").textContent = say("Your name becomes free, and you can't go on with the games you're in.");
      return;
    }
    await call("leave", {});
    sessionStorage.clear();
    localStorage.clear();
    location.href = "/";
  });
}
