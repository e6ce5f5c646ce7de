// The message box, for messages and for commands with completion.

import { $, el, icon, tile, announce, alike, unaccented } from "./dom.js";
import { kept } from "./kept.js";
import { say } from "./say.js";
import { here } from "./settings.js";
import { call, newID, plain, refusal } from "./api.js";
import { store, stream, title, emit, learn, on } from "./store.js";
import { addAnswer, clearRefusals, toLatest } from "./stream.js";

const form = $("composer");
const box = $("box");
const menu = $("menu");
const listbox = $("menu-list");
const touch = matchMedia("(pointer: coarse)");

// Entries without an answer yet. They are kept with the tab, so that they are sent even after a
// reload, under the same id.
/** @type {Pending[]} */
let outbox = kept.get("outbox", []);
/** @type {string[]} */
const history = []; // commands sent, for the arrow keys
let recalled = -1;

export function start() {
  $("slash").append(icon("slash"));
  $("send").append(icon("send"));
  $("slash").addEventListener("click", () => insert(box.value.startsWith("/") ? box.value : "/" + box.value));
  form.addEventListener("submit", (e) => {
    e.preventDefault();
    submit();
  });
  box.addEventListener("input", () => {
    recalled = -1;
    $("problem").textContent = "";
    changed();
  });
  box.addEventListener("click", suggest);
  on("commands", () => document.activeElement === box && suggest());
  box.addEventListener("keydown", keydown);
  box.addEventListener("blur", close);
  // The menu must not take the focus from the message box.
  menu.addEventListener("pointerdown", (e) => e.preventDefault());
  addEventListener("keydown", typeAnywhere);
  new ResizeObserver(invite).observe(box);
  for (const item of outbox) deliver(item);
}

/** show prepares the message box for a stream. It gets the focus unless game is set. @param {string} before @param {{ game?: boolean }} [how] */
export function show(before, { game = false } = {}) {
  if (before) stream(before).draft = box.value;
  const s = stream(store.current);
  box.value = s.draft || kept.get("draft " + s.id, "");
  invite();
  $("problem").textContent = "";
  changed({ quiet: true });
  busy();
  if (!touch.matches) (game ? $("title") : box).focus({ preventScroll: true });
}

/** invite sets the placeholder, which is shorter in a narrow box. */
function invite() {
  if (!store.current) return;
  const s = stream(store.current);
  box.placeholder = s.kind === "host" ? say("Type / for commands") : box.clientWidth > 320 ? say("Message {place}, or / for commands", { place: title(s) }) : say("Message {place}", { place: title(s) });
}

export function focus() {
  box.focus({ preventScroll: true });
}

/** insert puts a command into the message box and shows its completions. @param {string} text */
export function insert(text) {
  emit("chat");
  box.value = text;
  box.focus();
  box.setSelectionRange(text.length, text.length);
  changed();
}

/** @param {{ quiet?: boolean }} [how] */
function changed({ quiet } = {}) {
  box.style.setProperty("height", "auto");
  box.style.setProperty("height", Math.min(box.scrollHeight, innerHeight * 0.3) + "px");
  // Phones must not capitalise or correct commands.
  const command = box.value.startsWith("/");
  box.setAttribute("autocapitalize", command ? "none" : "sentences");
  box.setAttribute("autocorrect", command ? "off" : "on");
  box.spellcheck = !command;
  if (command) learn();
  form.classList.toggle("command", command);
  form.classList.toggle("empty", box.value.trim() === "");
  if (store.current) kept.set("draft " + store.current, box.value);
  if (!quiet) suggest();
}

/**
 * typeAnywhere moves typing anywhere on the page to the message box. Space and Enter still press
 * the focused button.
 * @param {KeyboardEvent} e
 */
function typeAnywhere(e) {
  const elsewhere = document.activeElement?.matches("input, textarea, select") || document.activeElement?.closest("#game") || document.querySelector("dialog[open]") || $("room").hidden;
  if (elsewhere || e.ctrlKey || e.metaKey || e.altKey || e.key.length !== 1 || e.key === " ") return;
  emit("chat");
  focus();
}

/** @param {KeyboardEvent} e */
function keydown(e) {
  if (e.isComposing) return;
  const item = items[active];
  if (!menu.hidden && items.length) {
    if (e.key === "ArrowDown" || e.key === "ArrowUp") {
      e.preventDefault();
      const step = e.key === "ArrowDown" ? 1 : -1;
      point(active < 0 && step < 0 ? items.length - 1 : (active + step + items.length) % items.length);
      return;
    }
    if (e.key === "Tab" && !e.shiftKey) {
      e.preventDefault();
      accept(item ?? items[0]);
      return;
    }
    if (e.key === "Enter" && !e.shiftKey && item) {
      e.preventDefault();
      accept(item);
      return;
    }
  }
  if (e.key === "Escape") {
    if (!menu.hidden) {
      e.stopPropagation();
      close();
    } else toLatest();
    return;
  }
  if (e.key === "Enter" && !e.shiftKey) {
    e.preventDefault();
    submit();
    return;
  }
  // The up arrow recalls commands sent before.
  if ((e.key === "ArrowUp" && (box.value === "" || recalled >= 0)) || (e.key === "ArrowDown" && recalled >= 0)) {
    const to = recalled + (e.key === "ArrowUp" ? 1 : -1);
    if (to >= history.length) return;
    e.preventDefault();
    const text = to < 0 ? "" : history.at(-1 - to) ?? "";
    box.value = text;
    changed({ quiet: true });
    close();
    recalled = to;
  }
}

// ---- sending

/** run gives a command that wasn't typed. @param {string} text @param {string} [to] */
export function run(text, to = store.current) {
  const item = { id: newID(), stream: to, text, command: true, at: Date.now() };
  outbox.push(item);
  kept.set("outbox", outbox);
  busy();
  deliver(item);
  toLatest();
}

let doubting = false; // whether a typed line is being checked

/** @param {{ sure?: boolean }} [how] */
async function submit({ sure = false } = {}) {
  const text = box.value.trim();
  const s = stream(store.current);
  if (!text || doubting || outbox.some((i) => i.command && i.stream === s.id)) return;
  if (!sure) {
    doubting = true;
    const question = await doubt(s, text).finally(() => (doubting = false));
    if (box.value.trim() !== text || s.id !== store.current) return;
    if (question) return ask(s, question);
  }
  const item = { id: newID(), stream: s.id, text, command: text.startsWith("/"), at: Date.now() };
  close();
  $("problem").textContent = "";
  outbox.push(item);
  kept.set("outbox", outbox);
  if (item.command) {
    if (history.at(-1) !== text) history.push(text);
    recalled = -1;
    busy();
  } else {
    box.value = "";
    changed({ quiet: true });
  }
  deliver(item);
  toLatest();
}

/** ask asks a question about a typed line; each answer is a line to send. @param {Stream} s @param {Question} question */
function ask(s, { text, answers }) {
  close();
  clearRefusals(s);
  addAnswer(s, {
    text: [{ text }], refused: true,
    buttons: Object.entries(answers).map(([label, line], i) => ({
      label, style: i ? "" : "primary", run: () => {
        if (line === null) submit({ sure: true });
        else {
          box.value = "";
          changed({ quiet: true });
          run(line);
        }
      },
    })),
  }, "");
}

/**
 * doubt returns a question if the line is probably a mistake: a misspelt command, or a play without
 * its slash, which others would read.
 * @param {Stream} s @param {string} text @returns {Promise<Question | null>}
 */
async function doubt(s, text) {
  await learn();
  const [first, ...rest] = text.split(/\s+/);
  const name = first.replace("/", "").toLowerCase();
  const known = called(name);
  if (text.startsWith("/")) {
    if (known) return null;
    const far = (/** @type {string} */ other) => distance(other, name);
    const like = store.commands.flatMap((c) => [c.name, c.own ?? []].flat()).filter((other) => far(other) <= (name.length > 4 ? 2 : 1)).sort((a, b) => far(a) - far(b))[0];
    return like ? { text: say("There is no command {typed}. Did you mean {command}?", { typed: "/" + name, command: "/" + like }), answers: { ["/" + like]: ["/" + like, ...rest].join(" ") } } : null;
  }
  if (!s.sight?.own?.turn) return null;
  if (known && rest.length && ["play", "try", "exchange", "submit", "cover", "remove"].includes(known.name)) {
    return { text: say("Everybody here would see that. Send it as a command instead?"), answers: { [`/${text}`]: "/" + text, [say("Send as a message")]: null } };
  }
  if (rest.length || s.sight.own.lays !== "play" || [...text].length < 2) return null;
  try {
    const { choices } = await call("complete", { stream: s.id, line: `/play ${text} ` }, { tries: 1 });
    if (choices.some((/** @type {Choice} */ c) => /^\d+[a-z]$|^[a-z]\d+$/i.test(c.insert))) return { text: say("You could play {word} now. Everybody here would read it.", { word: text.toUpperCase() }), answers: { [say("Play {word}", { word: text.toUpperCase() })]: "/play " + text, [say("Send as a message")]: null } };
  } catch {
    // Send it without a question.
  }
  return null;
}

/** distance returns the number of letters to add, drop, change or swap between two words. @param {string} a @param {string} b */
function distance(a, b) {
  const row = [Array.from({ length: b.length + 1 }, (_, j) => j)];
  for (let i = 1; i <= a.length; i++) {
    row[i] = [i];
    for (let j = 1; j <= b.length; j++) {
      row[i][j] = Math.min(row[i - 1][j] + 1, row[i][j - 1] + 1, row[i - 1][j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) row[i][j] = Math.min(row[i][j], row[i - 2][j - 2] + 1);
    }
  }
  return row[a.length][b.length];
}

/** @type {Map<string, Promise<void>>} */
const lanes = new Map(); // sends the messages of a stream one after another

/** @param {Pending} item */
function deliver(item) {
  const s = stream(item.stream);
  if (!item.command) {
    s.pending.push(item);
    emit("stream", s);
  }
  const turn = (lanes.get(s.id) ?? Promise.resolve()).then(() => send(item, s));
  lanes.set(s.id, turn);
}

/** @param {Pending} item @param {Stream} s */
async function send(item, s) {
  if (item.text.startsWith("/")) s.wants = true;
  try {
    const answer = await call("say", { stream: item.stream, id: item.id, text: item.text, ...here() }, { tries: Infinity });
    forget(item);
    if (answer.reply) {
      if (!answer.reply.refused) {
        clearRefusals(s);
        clear(s, item);
      }
      addAnswer(s, answer.reply, item.text);
    }
  } catch (e) {
    forget(item);
    s.pending = s.pending.filter((p) => p.id !== item.id);
    if (!item.command) giveBack(s, item.text);
    if (s.id === store.current) $("problem").textContent = plain(refusal(e));
  }
  emit("stream", s);
  busy();
}

/** @param {Pending} item */
function forget(item) {
  outbox = outbox.filter((i) => i.id !== item.id);
  kept.set("outbox", outbox);
}

/**
 * clear empties the message box after a command was carried out, unless other text has been typed
 * meanwhile.
 * @param {Stream} s @param {Pending} item
 */
function clear(s, item) {
  if (s.id !== store.current) {
    if (s.draft.trim() === item.text) s.draft = "";
    kept.set("draft " + s.id, s.draft);
  } else if (box.value.trim() === item.text) {
    box.value = "";
    changed({ quiet: true });
  }
}

/** @param {Stream} s @param {string} text */
function giveBack(s, text) {
  if (s.id === store.current) {
    box.value = box.value.trim() ? text + "\n" + box.value : text;
    changed({ quiet: true });
  } else s.draft = s.draft.trim() ? text + "\n" + s.draft : text;
}

// busy shows that a command has no answer yet.
function busy() {
  const waits = outbox.some((i) => i.command && i.stream === store.current);
  form.classList.toggle("busy", waits);
  $("send").setAttribute("aria-disabled", String(waits));
}

// ---- what could follow

// groups lists the commands by purpose.
const groups = {
  [say("On your turn")]: ["play", "try", "exchange", "submit", "cover", "remove", "draw", "pass", "challenge", "hint"],
  [say("Looking")]: ["rack", "board", "unseen", "history", "replay", "note"],
  [say("Tables")]: ["new", "join", "start", "leave", "rematch", "games", "vote", "end", "resign", "claim", "wait", "adopt", "nudge", "plan"],
  [say("Words")]: ["check", "anagram", "hooks", "pattern", "words"],
  [say("Every day")]: ["daily"],
  [say("After a game")]: ["review", "export", "stats", "top"],
  [say("Leagues and tournaments")]: ["league", "tournament", "rounds", "club", "roster"],
  [say("You and this place")]: ["settings", "away", "link", "data", "privacy", "report", "block", "invite", "unsay", "help"],
  [say("Moderation")]: ["reports", "mute", "ban", "unseat"],
};

/** offered returns the commands that the person may give: some are for keepers. */
const offered = () => store.commands.filter((c) => !c.manages || store.keeper);

/** grouped returns the offered commands by purpose. @returns {[title: string, Command[]][]} */
export function grouped() {
  const left = new Set(offered());
  const all = Object.entries(groups).map(([title, names]) => /** @type {[string, Command[]]} */ ([title, [...left].filter((c) => names.includes(c.name) && left.delete(c))]));
  return [...all, /** @type {[string, Command[]]} */ ([say("More"), [...left]])].filter(([, list]) => list.length);
}

// own maps the variants' own commands to the way of laying tiles that they need.
/** @type {Record<string, string>} */
const own = { submit: "submit", cover: "cover", remove: "remove" };

/**
 * called finds a command by its name in English or in the reader's language, with or without
 * accents.
 * @param {string} name
 */
const called = (name) => name && (store.commands.find((c) => c.name === name) ?? store.commands.find((c) => c.own === name) ?? store.commands.find((c) => c.own && alike(c.own, name)));

/**
 * shown returns the name of a command or option to offer for a typed prefix: in the reader's
 * language, unless only the English name matches.
 * @param {Command | Option} c @param {string} [typed]
 */
export const shown = (c, typed = "") => (c.own && unaccented(c.own).startsWith(unaccented(typed)) ? c.own : c.name);

// everyday lists what a newcomer needs. A slash alone offers no more commands than this; the others
// come with the letters that are typed.
const everyday = ["new", "join", "play", "exchange", "pass", "challenge", "rack", "board", "games", "check", "daily", "hint", "resign", "rematch", "review", "stats", "settings", "help"];

// sensible returns the commands that make sense now, the most likely first, without those of other
// variants.
function sensible() {
  const { sight } = stream(store.current);
  const playing = sight && sight.phase !== "over";
  const first = !playing ? (sight?.phase === "over" ? ["rematch", "review", "new", "help"] : ["new", "join", "help"])
    : sight.phase === "lobby" ? ["join", "start", "leave"]
      : sight.own?.turn ? [sight.own.lays, "try", "exchange", "pass", "hint", "rack"] : ["rack", "unseen", "history", "board"];
  const sense = offered().filter((c) => !playing || sight.phase === "lobby" || ((!own[c.name] || sight.own?.lays === c.name) && (c.name !== "play" || !own[sight.own?.lays ?? ""]) && (c.name !== "draw" || sight.own?.draws)));
  const order = [...first, ...everyday];
  const rank = (/** @type {Command} */ c) => (order.includes(c.name) ? order.indexOf(c.name) : order.length);
  return sense.sort((a, b) => rank(a) - rank(b)).slice(0, everyday.length);
}

/** @type {Choice[]} */
let items = [];
let active = -1;
let asked = 0; // number of the latest request, for dropping late answers
let timer = 0;

function suggest() {
  const text = box.value.slice(0, box.selectionStart);
  asked++;
  clearTimeout(timer);

  const at = /(?:^|[\s:(])@([^@\n]{0,30})$/.exec(text);
  const people = at ? peopleLike(at[1]) : [];
  const from = text.length - (at?.[1].length ?? 0) - 1;
  const offer = () => open(people.map((p) => ({ insert: "@" + p.name, label: p.name, help: p.here ? say("here now") : "", from, person: p })), null, 0);
  if (people.length) return offer();
  if (at?.[1] && store.some) timer = setTimeout(() => askFor(at[1], asked, people, offer), 60);
  const name = /^\/(\S*)$/.exec(text)?.[1].toLowerCase();
  if (name !== undefined) {
    const plain = unaccented(name), own = (/** @type {Command} */ c) => unaccented(c.own ?? c.name);
    const begun = (/** @type {Command} */ c) => c.name.startsWith(name) || own(c).startsWith(plain), within = (/** @type {Command} */ c) => c.name.includes(name) || own(c).includes(plain);
    const found = name ? [...offered().filter(begun), ...offered().filter((c) => !begun(c) && within(c))] : sensible();
    if (!found.length) return close();
    const label = (/** @type {Command} */ c) => "/" + (begun(c) ? shown(c, name) : c.name.includes(name) ? c.name : c.own);
    return open(found.map((c) => ({ insert: label(c), label: label(c), usage: usage(c), help: c.help, from: 0 })), null, label(found[0]) === "/" + name ? -1 : 0);
  }
  const [, word = ""] = /^\/(\S+)\s/.exec(text) ?? [];
  const command = called(word.toLowerCase());
  if (!command) return close();
  if (!menuFor(command)) open([], head(command, undefined, word), -1);
  stale();
  const question = asked;
  timer = setTimeout(async () => {
    const line = text;
    const s = store.current;
    let answer;
    try {
      answer = await call("complete", { stream: s, line }, { tries: 1 });
    } catch {
      return;
    }
    if (question !== asked || s !== store.current || document.activeElement !== box) return;
    const from = Math.max(line.lastIndexOf(" "), line.lastIndexOf("\n")) + 1;
    open(answer.choices.map((/** @type {Choice} */ c) => ({ ...c, from })), head(command, answer.option, word), -1);
  }, 60);
}

// stale keeps the suggestions in view until new ones arrive, but no longer accepts them.
function stale() {
  point(-1);
  items = [];
}

/** @param {Command} command */
const menuFor = (command) => !menu.hidden && $("menu-head").dataset.command === command.name;

/**
 * askFor requests people whom the page doesn't know.
 * @param {string} begin @param {number} question @param {Presence[]} people @param {() => void} offer
 */
async function askFor(begin, question, people, offer) {
  try {
    people.push(...(await call("people", { begin }, { tries: 1 })).people.filter((/** @type {Presence} */ p) => p.id !== store.me.id && p.name.toLowerCase() !== begin.toLowerCase().trimEnd()));
  } catch {
    return;
  }
  if (people.length && question === asked && document.activeElement === box) offer();
}

/** @param {string} begin */
const peopleLike = (begin) => [...store.people.values()]
  .filter((p) => p.id !== store.me.id && !p.gone && p.name.toLowerCase().startsWith(begin.toLowerCase()) && p.name.toLowerCase() !== begin.toLowerCase().trimEnd())
  .sort((a, b) => Number(b.here ?? false) - Number(a.here ?? false))
  .slice(0, 25);

/** @param {Command} command */
const usage = (command) => command.options.map((o) => (o.required ? shown(o) : `[${shown(o)}]`)).join(" ");

/** head explains a command and the option being typed. @param {Command} command @param {string | undefined} option @param {string} typed */
function head(command, option, typed) {
  const now = command.options.find((o) => o.name === option);
  return {
    command: command.name,
    parts: [
      el("p", { class: "signature" }, el("b", {}, "/" + shown(command, typed.toLowerCase())), ...command.options.map((o) => el("span", { class: "option" + (o.name === option ? " now" : "") }, o.required ? shown(o) : `[${shown(o)}]`)), command.options.length > 0 && el("span", { class: "example" }, command.example)),
      el("p", { class: "quiet" }, now ? now.help : command.help),
    ],
  };
}

/** @param {Choice[]} list @param {Head | null} header @param {number} first */
function open(list, header, first) {
  items = list;
  active = -1;
  $("menu-head").replaceChildren(...(header?.parts.filter((part) => part instanceof Node) ?? []));
  $("menu-head").dataset.command = header?.command ?? "";
  $("menu-head").hidden = !header;
  listbox.hidden = !list.length;
  listbox.replaceChildren(...list.map((c, i) => el("li", {
    id: "choice" + i, class: "choice" + (c.usage === undefined ? "" : " command"), role: "option", "aria-selected": "false",
    onclick: () => items.includes(c) && accept(c),
    onpointermove: () => active !== i && items.length && point(i, { still: true }),
  },
    c.person && tile(c.person.name, c.person.id),
    el("span", { class: "choice-label" }, el("b", {}, c.label), c.usage && el("span", { class: "usage" }, c.usage)),
    c.help && c.help !== c.label && el("span", { class: "choice-help" }, c.help.startsWith(c.label + " ") ? c.help.slice(c.label.length).trim() : c.help))));
  menu.hidden = !list.length && !header;
  box.setAttribute("aria-expanded", String(!menu.hidden && list.length > 0));
  listbox.scrollTop = 0;
  point(list.length ? first : -1);
  if (list.length && first < 0) announceCount(list.length);
}

let counted = 0;
/** @param {number} n */
function announceCount(n) {
  if (n !== counted) announce(say("{n, plural, one {One suggestion} other {# suggestions}}", { n }));
  counted = n;
}

/** @param {number} i @param {{ still?: boolean }} [how] */
function point(i, { still } = {}) {
  listbox.children[active]?.setAttribute("aria-selected", "false");
  active = i;
  const node = listbox.children[i];
  if (!node) return box.removeAttribute("aria-activedescendant");
  node.setAttribute("aria-selected", "true");
  box.setAttribute("aria-activedescendant", node.id);
  if (!still) node.scrollIntoView({ block: "nearest" });
}

/** @param {Choice} item */
function accept(item) {
  box.setRangeText(item.insert + (item.open ? "" : " "), item.from, box.selectionStart, "end");
  box.focus();
  changed();
}

function close() {
  asked++;
  clearTimeout(timer);
  items = [];
  active = -1;
  counted = 0;
  menu.hidden = true;
  box.setAttribute("aria-expanded", "false");
  box.removeAttribute("aria-activedescendant");
}
