// A page made of blocks updates itself: when the host announces news, it loads its parts again, and
// redraws them if they have changed. A board has a script of its own.

import { $ } from "./dom.js";
import { start as turnPages } from "./screen.js";
import { fills } from "./mini.js";
import "./settings.js";

/** A script starts on its board, can make the page look for news, and may return a function to call
 * whenever the parts around the board are redrawn.
 * @typedef {{ start(block: HTMLElement, look: () => void): (() => void) | void }} Script */

const { base, live } = document.body.dataset;
const pause = 3000; // milliseconds between two requests

/** @type {(() => void)[]} */
const drawn = [];
let tag = "";
let looking = false;
let again = false;

async function look() {
  if (looking) {
    again = true;
    return;
  }
  looking = true;
  await ask();
  await new Promise((done) => setTimeout(done, pause));
  looking = false;
  if (again) {
    again = false;
    look();
  }
}

/** ask loads the parts and shows them. If that fails, the next event asks again. The request itself
 * parses the markup, which is the only way in a page that forbids markup from strings. */
function ask() {
  return new Promise((done) => {
    const url = new URL(location.href);
    url.searchParams.set("part", "");
    const asks = new XMLHttpRequest();
    asks.open("GET", url.href);
    asks.responseType = "document";
    if (tag) asks.setRequestHeader("If-None-Match", tag);
    asks.onload = () => {
      if (asks.status === 200 && asks.response) show(asks.response, asks.getResponseHeader("ETag") ?? "");
    };
    asks.onloadend = done;
    asks.send();
  });
}

/** show replaces the parts. Blocks opened by the reader stay open, and blocks held by a script stay. @param {Document} markup @param {string} now */
function show(markup, now) {
  if (now === tag) return;
  tag = now;
  const open = [...document.querySelectorAll("details[open]")].map((d) => d.id);
  const parts = markup.body;
  for (const d of parts.querySelectorAll("details")) d.open = open.includes(d.id);
  const focused = document.activeElement?.closest("[id]")?.id;
  const root = $("blocks"), kept = [...root.querySelectorAll(":scope > [data-keep]")];
  for (const child of [...root.childNodes]) if (!kept.includes(/** @type {Element} */ (child))) child.remove();
  for (const child of [...parts.childNodes]) {
    if (/** @type {HTMLElement} */ (child).dataset?.keep) kept.shift();
    else root.insertBefore(child, kept[0] ?? null);
  }
  if (focused && focused !== "blocks") document.getElementById(focused)?.querySelector("summary")?.focus({ preventScroll: true });
  fills(root);
  for (const f of drawn) f();
}

/** reveal opens the block that the address names. */
function reveal() {
  const card = document.getElementById(location.hash.slice(1));
  if (card instanceof HTMLDetailsElement) card.open = true;
}

/** start starts the page, and its board by one of the scripts. @param {Record<string, () => Promise<Script>>} scripts */
export function start(scripts) {
  if (document.body.classList.contains("screen")) turnPages();
  addEventListener("hashchange", reveal);
  reveal();
  fills(document);
  if (live !== undefined) {
    /** @type {EventSource} */
    let news;
    const listen = () => {
      news = new EventSource(base + "/live");
      news.addEventListener("table", look);
      news.addEventListener("beat", look); // also refresh changes that cause no news
    };
    listen();
    addEventListener("pagehide", () => news.close()); // see live.js
    addEventListener("pageshow", (e) => e.persisted && (listen(), look()));
  }
  for (const block of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-does]"))) {
    scripts[block.dataset.does ?? ""]?.().then(({ start }) => {
      const anew = start(block, look);
      if (!anew) return;
      drawn.push(anew);
      anew();
    });
  }
}
