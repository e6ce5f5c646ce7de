// Helpers to build the page. Text enters it only as text: no code here or elsewhere turns a string
// into markup.

import { say, locale } from "./say.js";

/**
 * $ returns an element of the page's document by its id.
 * @template {string} K @param {K} id @returns {K extends keyof PageElements ? PageElements[K] : HTMLElement}
 */
export const $ = (id) => /** @type {any} */ (document.getElementById(id));

/** find returns the first element that a selector matches. @param {string} selector @param {ParentNode} [root] */
export const find = (selector, root = document) => /** @type {HTMLElement} */ (root.querySelector(selector));

/**
 * el creates an element: el("p", {class: "quiet", onclick: f}, "text", child).
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag @param {Props} [props] @param {...Child} children @returns {HTMLElementTagNameMap[K]}
 */
export function el(tag, props = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(props)) {
    if (value === undefined || value === null || value === false) continue;
    if (typeof value === "function") node.addEventListener(name.slice(2), value);
    else node.setAttribute(name, value === true ? "" : String(value));
  }
  node.append(...children.filter((c) => c !== null && c !== undefined && c !== false));
  return node;
}

const fromRight = "[\\p{Script=Hebrew}\\p{Script=Arabic}\\p{Script=Syriac}\\p{Script=Thaana}\\p{Script=Nko}\\p{Script=Adlam}]\\p{M}*";
const runFromRight = new RegExp(`(${fromRight}(?:[^\\S\\n]*${fromRight})*)`, "u");

// isolate wraps runs of right-to-left words in elements of their own, so that they don't reorder
// the sentence around them or the numbers after them.
/** @param {string} words */
export const isolate = (words) => words.split(runFromRight).map((part, i) => (i % 2 ? el("bdi", {}, part) : part)).filter((part) => part !== "");

/** spans draws spans of the host's own JSON; times are in the reader's time zone. @param {HostSpan[]} all */
export const spans = (all) => all.map((s) => {
  const timed = s.Time && !s.Time.startsWith("0001");
  const said = timed ? new Date(s.Time ?? "").toLocaleString(locale, { weekday: "short", hour: "numeric", minute: "2-digit" }) : s.Text;
  return el(s.Strong ? "strong" : s.Code ? "code" : s.Person ? "bdi" : "span", {}, ...isolate(said));
});

const icons = {
  plus: "M12 5v14M5 12h14",
  close: "M6 6l12 12M18 6L6 18",
  menu: "M4 7h16M4 12h16M4 17h16",
  send: "M5 12l14-7-4.500 14-3-6.200L5 12zM11.500 12.800L19 5",
  slash: "M9 18l6-12M4 8a4 4 0 0 1 4-4h8a4 4 0 0 1 4 4v8a4 4 0 0 1-4 4H8a4 4 0 0 1-4-4z",
  lock: "M7 11V8a5 5 0 0 1 10 0v3M6 11h12v9H6zM12 15v2",
  down: "M12 5v14M6 13l6 6 6-6",
  chevron: "M7 10l5 5 5-5",
  more: "M5.500 12h.01M12 12h.01M18.500 12h.01",
  shuffle: "M4 7h3l9 10h4M4 17h3l3-3.300M13 10.300L16 7h4M17.500 4.500L20 7l-2.500 2.500M17.500 14.500L20 17l-2.500 2.500",
  recall: "M12 4v11M7 10l5 5 5-5M5 20h14",
  chat: "M5 5h14v10H10l-5 4z",
  file: "M7 3h7l4 4v14H7zM14 3v4h4M12 11v6M9.500 14.500L12 17l2.500-2.500",
};

/** icon draws an icon, hidden from screen readers. @param {keyof typeof icons} name */
export function icon(name) {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("class", "icon");
  svg.setAttribute("aria-hidden", "true");
  const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
  path.setAttribute("d", icons[name]);
  svg.append(path);
  return svg;
}

// unaccented returns a name without accents in lower case, as the host reads it.
/** @param {string} name */
export const unaccented = (name) => name.normalize("NFKD").replace(/\p{Mn}/gu, "").toLowerCase().replaceAll("ł", "l").replaceAll("ß", "ss");

/** @type {Record<string, string>} */
const umlauts = { ä: "ae", ö: "oe", ü: "ue" };

// alike reports whether a typed text means a name: with or without accents, or with AE, OE and UE
// for umlauts.
/** @param {string} name @param {string} typed */
export function alike(name, typed) {
  const expanded = name.normalize("NFC").toLowerCase().replace(/[äöü]/g, (c) => umlauts[c]);
  return [unaccented(name), unaccented(expanded)].includes(unaccented(typed));
}

/** @type {Record<string, number>} */
const values = { a: 1, b: 3, c: 3, d: 2, e: 1, f: 4, g: 2, h: 4, i: 1, j: 8, k: 5, l: 1, m: 3, n: 1, o: 1, p: 3, q: 10, r: 1, s: 1, t: 1, u: 1, v: 4, w: 4, x: 8, y: 4, z: 10 };

/**
 * tile draws a person as a tile with their first letter, in a shade derived from their id.
 * @param {string} name @param {string} [id]
 */
export function tile(name, id = "") {
  const letter = [...name.trim()][0] ?? "";
  const value = values[letter.normalize("NFD")[0]?.toLowerCase() ?? ""];
  let shade = 0;
  for (const c of id) shade = (shade * 31 + (c.codePointAt(0) ?? 0)) % 6;
  return el("span", { class: `tile shade-${shade}`, "aria-hidden": "true" }, letter.toUpperCase(), value !== undefined && el("i", {}, String(value)));
}

// hostTile draws the host's tile.
export function hostTile() {
  const t = tile("R");
  t.className = "tile host";
  return t;
}

/** clock returns a time of day in the reader's format. @param {number} ms */
export const clock = (ms) => new Date(ms).toLocaleTimeString(locale, { hour: "2-digit", minute: "2-digit" });

/** day returns the name of a day: today, yesterday, or its date. @param {number} ms */
export function day(ms) {
  const midnight = (/** @type {Date} */ d) => new Date(d.getFullYear(), d.getMonth(), d.getDate()).getTime();
  const ago = Math.round((midnight(new Date()) - midnight(new Date(ms))) / 86400000);
  if (ago === 0) return say("Today");
  if (ago === 1) return say("Yesterday");
  return new Date(ms).toLocaleDateString(locale, { weekday: "long", day: "numeric", month: "long", year: ago > 300 ? "numeric" : undefined });
}

/**
 * announce makes screen readers say a text after what they are saying. Long texts are cut off,
 * since they can be read on the page.
 * @param {string} text
 */
export function announce(text) {
  const box = $("announce");
  box.append(el("p", {}, text.length > 300 ? text.slice(0, 300) + "…" : text));
  while (box.children.length > 5) box.firstChild?.remove();
}

/** number returns a whole number with a typographic minus. @param {number} n */
export const number = (n) => (n < 0 ? "−" : "") + Math.abs(n);

/** timeOf returns a clock's time, such as "12:05", with a minus once it has run out. @param {number} ms */
export const timeOf = (ms) => {
  const sec = Math.floor(Math.abs(ms) / 1000);
  return `${ms < 0 ? "−" : ""}${Math.floor(sec / 60)}:${String(sec % 60).padStart(2, "0")}`;
};

/** timeLeft returns the remaining time in words. @param {number} ms */
export const timeLeft = (ms) => {
  const hours = Math.floor(ms / 3600000);
  if (hours < 1) return ms > 0 ? say("{time} left", { time: timeOf(ms) }) : say("time is up");
  return hours < 48 ? say("{n, plural, one {# hour left} other {# hours left}}", { n: hours }) : say("{n, plural, one {# day left} other {# days left}}", { n: Math.floor(hours / 24) });
};

/**
 * roves makes all elements of a list that a selector matches a single stop of the Tab key: the focused
 * one, or else the one that first returns. The arrow keys move it. Call the returned function when the
 * list has changed.
 * @param {HTMLElement} list @param {string} selector @param {(all: HTMLElement[]) => HTMLElement | undefined} first @returns {() => void}
 */
export function roves(list, selector, first) {
  const all = () => /** @type {HTMLElement[]} */ ([...list.querySelectorAll(selector)]);
  const stop = (/** @type {Node | null | undefined} */ at) => all().forEach((n) => (n.tabIndex = n === at ? 0 : -1));
  list.addEventListener("keydown", (e) => {
    const nodes = all(), i = nodes.indexOf(/** @type {HTMLElement} */ (e.target)), by = { ArrowUp: -1, ArrowDown: 1 }[e.key] ?? 0, next = nodes[i + by];
    if (i < 0 || !by || !next || e.altKey) return;
    e.preventDefault();
    next.focus();
  });
  list.addEventListener("focusin", ({ target }) => all().some((n) => n === target) && stop(/** @type {Node} */ (target)));
  return () => stop(all().find((n) => n === document.activeElement) ?? first(all()));
}

/** changes reports whether what a node shows differs from what it showed at the last call. @param {HTMLElement} node @param {unknown} shown */
export function changes(node, shown) {
  const sign = JSON.stringify(shown), is = node.dataset.sign !== sign;
  node.dataset.sign = sign;
  return is;
}

let offline = 0;

/**
 * online shows when the connection has been lost for a moment. Failed attempts to reconnect call it
 * too, and must not restart that moment.
 * @param {boolean} is
 */
export function online(is) {
  if (is) {
    clearTimeout(offline);
    offline = 0;
    $("offline").hidden = true;
  } else offline ||= setTimeout(() => ($("offline").hidden = false), 1500);
}
