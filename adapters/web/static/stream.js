// The messages of the current stream, in the middle of the page.

import { say } from "./say.js";
import { $, el, icon, tile, day, announce, roves } from "./dom.js";
import { call, newID, plain, refusal } from "./api.js";
import { store, on, emit, stream, title, nameOf, load, older, markedRead } from "./store.js";
import { go } from "./nav.js";
import { theme, here } from "./settings.js";
import { message, pending, answer } from "./message.js";
import * as rack from "./rack.js";
import { welcome } from "./welcome.js";

const scroll = $("scroll");
const list = $("messages");
const gap = 5 * 60 * 1000; // after this pause, a message shows its sender again

let newFrom = Infinity; // first message number that is new in this visit
/** @type {Map<string, { version: string | number, node: HTMLElement }>} */
let nodes = new Map(); // by key: {version, node}
let stuck = true; // whether the view follows the end
/** @type {() => void} */
let rove; // makes all messages' menus one stop of the Tab key
/** @type {Compose} */
let compose; // the message box, for buttons and the welcome

/** start sets up the view; box provides insert(text). @param {Compose} box */
export function start(box) {
  compose = box;
  on("stream", (s) => {
    if (s.id === store.current) draw(s);
  });
  on("said", readOut);
  on("reply", addAnswer);
  rack.start(does, box);
  rove = roves(list, ".more", (all) => all.at(-1));
  scroll.addEventListener("scroll", scrolled, { passive: true });
  new ResizeObserver(() => stuck && toEnd()).observe(scroll);
  new ResizeObserver(() => stuck && toEnd()).observe(list);
  document.addEventListener("visibilitychange", seen);
  addEventListener("focus", seen);
  addEventListener("themed", () => store.current && draw(stream(store.current)));
  $("latest").append(icon("down"), el("span", {}, say("Latest")));
  $("latest").addEventListener("click", () => {
    stuck = true;
    toEnd();
    seen();
  });
}

/** show shows a stream. @param {string} id */
export function show(id) {
  const s = stream(id);
  store.current = id;
  newFrom = s.unread > 0 ? s.read + 1 : Infinity;
  nodes = new Map();
  list.replaceChildren();
  stuck = true;
  sought = 0;
  $("title").textContent = title(s);
  list.setAttribute("aria-label", say("Messages in {place}", { place: title(s) }));
  head();
  draw(s);
  rack.show(s);
  load(s);
}

// head updates the line beside the title.
export function head() {
  const s = stream(store.current);
  $("title").textContent = title(s);
  const here = [...store.people.values()].filter((p) => p.here);
  const other = store.people.get(s.with);
  $("subtitle").textContent = {
    channel: say("{n, plural, one {Only you are here} other {# people are here}}", { n: store.some ? Math.max(store.here, here.length) : here.length }),
    game: "",
    host: say("Messages from Rackmate"),
    direct: other ? (other.here ? say("Here now") : say("Not here now")) : say("Left the room"),
  }[s.kind];
  $("faces").replaceChildren(...(s.kind === "channel" ? here.slice(0, 5).map((p) => tile(p.name, p.id)) : []));
}

// toEnd scrolls to the end.
function toEnd() {
  scroll.scrollTop = scroll.scrollHeight;
}

export function toLatest() {
  newFrom = Infinity;
  stuck = true;
  toEnd();
}

// scrolled handles scrolling: going up stops following the end. New messages below don't.
let top = 0;
function scrolled() {
  const up = scroll.scrollTop < top - 1;
  top = scroll.scrollTop;
  const atEnd = scroll.scrollHeight - top - scroll.clientHeight < 60;
  if (atEnd || up) stuck = atEnd;
  $("latest").hidden = stuck;
  if (stuck) seen();
  if (scroll.scrollTop < 400) more();
}

async function more() {
  const s = stream(store.current);
  if (!s.start && s.loaded) await older(s).catch(() => {});
}

// find scrolls to a message once it is loaded.
let sought = 0;
/** @param {number} number */
export function find(number) {
  sought = number;
  seek();
}

function seek() {
  const s = stream(store.current);
  if (!sought || !s.loaded || s.loading) return;
  const found = nodes.get("m" + sought);
  if (!found && !s.start && s.messages[0]?.number > sought) {
    older(s).catch(() => (sought = 0)); // continues when they are drawn
    return;
  }
  sought = 0;
  if (!found) return;
  stuck = false;
  found.node.scrollIntoView({ block: "center" });
}

// seen marks the messages in view as read.
let seeing = 0;
function seen() {
  clearTimeout(seeing);
  seeing = setTimeout(() => {
    if (!store.current || document.visibilityState !== "visible" || !document.hasFocus()) return;
    const s = stream(store.current);
    if (scroll.checkVisibility?.({ visibilityProperty: true }) === false) {
      // A phone's board covers the messages. It shows the moves that they tell of.
      if (s.loaded && (s.start || s.messages[0]?.number <= s.read + 1) && s.messages.every((m) => m.number <= s.read || (m.line && m.table === s.sight?.table))) mark(s);
      return;
    }
    if (stuck && s.loaded) mark(s);
    // The host's private rack for this channel is in view above the message box.
    const host = stream("dm." + store.me.id);
    if (s.rack && host.messages.at(-1)?.about === s.id) mark(host);
  }, 300);
}

/** @param {Stream} s */
function mark(s) {
  if (s.read >= s.last) return;
  const number = s.last;
  call("read", { stream: s.id, number }).catch(() => {});
  markedRead({ stream: s.id, read: number });
}

/** readOut announces a new message to screen readers. @param {Message} m @param {Stream} s */
function readOut(m, s) {
  if (s.id !== store.current && m.about !== store.current && !s.mentions) return;
  const said = { name: nameOf(m.from), text: plain(m), place: title(s) };
  announce(m.about ? say("{name}, only to you: {text}", said) : s.id === store.current ? say("{name}: {text}", said) : say("{name} in {place}: {text}", said));
}

/** @type {Does} */
const does = {
  seen,

  enlarge(img) {
    $("viewer-picture").src = img.currentSrc;
    $("viewer-picture").alt = img.alt;
    $("viewer").showModal();
  },

  dismiss(a) {
    const s = stream(store.current);
    s.answers = s.answers.filter((b) => b !== a);
    draw(s);
    compose.focus();
  },

  async press(m, button, node) {
    const s = stream(store.current);
    if (button.run) {
      s.answers = s.answers.filter((a) => a.message !== m);
      draw(s);
      return button.run();
    }
    if (button.type && m.about && m.about !== s.id) {
      // The command is for the channel that the message is about.
      stream(m.about).draft = button.type;
      go("/#" + m.about);
      return;
    }
    if (button.type) return compose.insert(button.type);
    const place = [...(node.parentElement?.children ?? [])].indexOf(node);
    if (node.getAttribute("aria-busy")) return;
    node.setAttribute("aria-busy", "true");
    s.wants = true;
    try {
      const { reply } = await call("press", { stream: m.about || m.stream || s.id, id: newID(), button: button.id, ...here() }, { tries: Infinity });
      const old = s.answers.find((a) => a.message === m);
      if (old && !reply.refused && !reply.rack && (reply.text.length || reply.picture)) {
        // A private answer's own button replaces that answer.
        old.message = reply;
        old.turn = (old.turn ?? 0) + 1;
        announce(plain(reply));
        draw(s, { focus: [old.key, place] });
      } else {
        // The answer's offer has been used.
        if (old && !reply.refused) s.answers = s.answers.filter((a) => a !== old);
        addAnswer(s, reply, "");
        emit("stream", s);
        if (old && !reply.refused) compose.focus();
      }
    } catch (e) {
      addAnswer(s, refusal(e), "");
    } finally {
      node.removeAttribute("aria-busy");
    }
  },
};

/** press handles a message's button. */
export const { press } = does;

let answers = 0;

/**
 * addAnswer adds a private answer at the end of a stream, or to the rack's place if it is a rack. A
 * refusal replaces the one before it.
 * @param {Stream} s @param {Reply} reply @param {string} command
 */
export function addAnswer(s, reply, command) {
  if (reply.rack) return rack.put(s, reply);
  if (!reply.text.length && !reply.picture) return;
  s.answers = s.answers.filter((a) => !a.message.refused || a.after < s.last).slice(-20);
  s.answers.push({ key: "a" + ++answers, after: s.last, command, message: reply, at: Date.now() });
  emit("answered", s, reply);
  announce(say("Rackmate, only to you: {text}", { text: plain(reply) }));
  if (s.id === store.current) {
    stuck = true;
    draw(s);
  }
}

/** clearRefusals removes refusals after a success. @param {Stream} s */
export function clearRefusals(s) {
  s.answers = s.answers.filter((a) => !a.message.refused);
}

/** draw updates the list, reusing the elements of unchanged items. @param {Stream} s @param {{ focus?: [string, number] }} [how] */
function draw(s, { focus } = {}) {
  // Wait until the table on the board is known, since its posts are drawn as lines without
  // pictures.
  const items = s.loaded && s.looked ? itemsOf(s) : [];
  const anchor = stuck ? null : inView();
  /** @type {typeof nodes} */
  const fresh = new Map();
  /** @type {ChildNode | null} */
  let at = list.firstChild;
  for (const { key, version, make } of items) {
    const old = nodes.get(key);
    const node = old?.version === version ? old.node : make();
    fresh.set(key, { version, node });
    if (old && old.node !== node && old.node.isConnected) {
      old.node.replaceWith(node);
      if (at === old.node) at = node;
    }
    if (node === at) at = node.nextSibling;
    else list.insertBefore(node, at);
  }
  while (at) {
    const next = at.nextSibling;
    at.remove();
    at = next;
  }
  nodes = fresh;
  rove();
  if (focus) /** @type {HTMLElement} */ (fresh.get(focus[0])?.node.querySelectorAll(".buttons .button")[focus[1]] ?? document.querySelector(".ending:not([hidden]) .onward .button") ?? scroll).focus({ preventScroll: true });
  if (stuck) toEnd();
  else if (anchor) scroll.scrollTop += (fresh.get(anchor.key)?.node.getBoundingClientRect().top ?? anchor.top) - anchor.top;
  $("latest").hidden = stuck;
  list.setAttribute("aria-busy", String(!s.loaded));
  seen();
  seek();
}

// inView returns the first message in view and its position, which must stay when messages are
// added above it.
function inView() {
  const edge = scroll.getBoundingClientRect().top;
  for (const [key, { node }] of nodes) {
    const { top, bottom } = node.getBoundingClientRect();
    if (bottom > edge && node.classList.contains("message")) return { key, top };
  }
  return null;
}

/**
 * itemsOf lists the items of a stream to show, each with a key, a version and a function that draws
 * it.
 * @param {Stream} s
 */
function itemsOf(s) {
  /** @type {{ key: string, version: string | number, make: () => HTMLElement }[]} */
  const items = [];
  const live = lastWithButtons(s.messages);
  const answers = [...s.answers];
  /** @type {Message | null} */
  let previous = null;
  let date = "";
  const put = (/** @type {string} */ key, /** @type {string | number} */ version, /** @type {() => HTMLElement} */ make) => items.push({ key, version, make });
  const putAnswers = (/** @type {number} */ upTo) => {
    for (let a = answers[0]; a && a.after < upTo; a = answers[0]) {
      answers.shift();
      const shown = a;
      put(a.key, a.turn ?? 0, () => answer(shown, does));
      previous = null;
    }
  };

  if (s.start) put("welcome", title(s), () => welcome(s, compose));
  for (const m of s.messages) {
    putAnswers(m.number);
    if (day(m.at) !== date) {
      date = day(m.at);
      put("day" + date, 0, ((/** @type {string} */ d) => () => el("li", { class: "day" }, el("span", {}, d)))(date));
      previous = null;
    }
    if (m.number === newFrom && m.from?.id !== store.me.id) {
      put("new", 0, () => el("li", { class: "day fresh" }, el("span", {}, say("New"))));
      previous = null;
    }
    const together = Boolean(previous && m.from && previous.from?.id === m.from?.id && m.at - previous.at < gap);
    const alive = !m.buttons || live.get(groupOf(m)) === m.number;
    // Moves are on the board: their posts are folded to a line, unless their table gathers players.
    const folded = Boolean(m.line && s.sight && (onBoard(s) || m.table !== s.sight.table));
    const bare = !m.line && !m.kind && !m.about && onBoard(s) && m.table === s.sight?.table;
    // A seated player isn't offered Join, and others aren't offered Leave.
    const seated = m.buttons && m.table && s.sight?.phase === "lobby" && m.table === s.sight.table ? s.sight.seat !== undefined : undefined;
    const offered = seated === undefined ? m : { ...m, buttons: (m.buttons ?? []).filter((b) => !(b.id ?? "").split(":").slice(3).join(":").startsWith(seated ? "join:" : "leave:") || (b.id ?? "").endsWith("robot=?")) };
    put("m" + m.number, `${seated} ${together} ${alive} ${m.edits} ${folded} ${bare} ${theme()} ${nameOf(m.from)} ${m.text.map((t) => t.person && store.people.get(t.person)?.name)}`, () => message(offered, { together, live: alive, does, folded, bare }));
    previous = folded ? null : m;
  }
  putAnswers(Infinity);
  for (const p of s.pending) put("p" + p.id, 0, () => pending(p));
  return items;
}

/** onBoard reports whether a stream's table is shown on the board. @param {Stream} s */
export const onBoard = (s) => s.sight !== undefined && s.sight.phase !== "lobby" && s.sight.phase !== "voting";

/** groupOf returns the group within which a message's buttons replace earlier ones: its standing name, or else its table. @param {Message} m */
const groupOf = (m) => m.standing || (m.table ?? 0);

/**
 * lastWithButtons returns the latest message with buttons for each table and standing name; older
 * ones are out of date. A message that closes a table has no buttons, and puts the earlier ones out of date.
 * @param {Message[]} messages
 */
function lastWithButtons(messages) {
  const last = new Map();
  for (const m of messages) if (m.buttons || (m.table && !m.kind && !m.about)) last.set(groupOf(m), m.number);
  return last;
}
