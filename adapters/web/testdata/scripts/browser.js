// A browser's document without a browser, and a host that answers as a test sets it up.

import { readFileSync } from "node:fs";
import { Window } from "happy-dom";

const here = (name) => new URL("../../" + name, import.meta.url);

/** room returns the markup of the room's page. */
export const room = () => readFileSync(here("pages/room.html"), "utf8");

/**
 * browse creates a window with a document, and defines the globals that scripts use. answers maps a
 * path ("table") to the host's answer; asked records the requests.
 */
export function browse(body, { url = "https://play.example.org/", answers = {}, data = {} } = {}) {
  const window = new Window({ url, width: 1280, height: 800, settings: { disableJavaScriptFileLoading: true } });
  for (const name of Object.getOwnPropertyNames(window)) {
    if (name in globalThis && !["Event", "EventTarget", "CustomEvent", "navigator", "Node", "fetch"].includes(name)) continue;
    try {
      Object.defineProperty(globalThis, name, { value: typeof window[name] === "function" && !/^[A-Z]/.test(name) ? window[name].bind(window) : window[name], configurable: true, writable: true });
    } catch {
      // node doesn't allow it
    }
  }
  for (const name of ["innerWidth", "innerHeight"]) Object.defineProperty(globalThis, name, { get: () => window[name], configurable: true });
  for (const name of ["addEventListener", "removeEventListener", "dispatchEvent"]) globalThis[name] = window[name].bind(window);
  // Timers left after the test must not keep the process running.
  const every = setInterval, once = setTimeout;
  globalThis.setInterval = (...how) => every(...how).unref();
  globalThis.setTimeout = (f, ms, ...more) => (ms > 3000 ? once(f, ms, ...more).unref() : once(f, ms, ...more));
  document.body.innerHTML = body;
  Object.assign(document.body.dataset, data);
  document.elementsFromPoint = (x, y) => (browse.under ? [browse.under] : []);
  Element.prototype.scrollIntoView = () => {};

  const asked = [], sources = [];
  globalThis.fetch = async (address, { body } = {}) => {
    const path = new URL(address, url).pathname.replace(/^\/api\//, "").replace(/^\//, "");
    const question = body ? JSON.parse(body) : {};
    asked.push([path, question]);
    const made = answers[path] ?? answers["*"];
    try {
      const answer = typeof made === "function" ? await made(question, path) : (made ?? {});
      if (answer instanceof Response) return answer;
      return new Response(JSON.stringify(answer), { headers: { "Content-Type": "application/json" } });
    } catch (e) {
      return new Response(JSON.stringify({ error: e.message }), { status: e.status ?? 422 });
    }
  };
  globalThis.EventSource = class {
    static CLOSED = 2;
    readyState = 1;
    listeners = {};
    constructor(address) {
      this.url = address;
      sources.push(this);
    }
    addEventListener(name, f) {
      this.listeners[name] = f;
    }
    close() {
      this.readyState = 2;
    }
    tell(name, body) {
      this.listeners[name]?.({ data: JSON.stringify(body) });
    }
  };
  return { window, asked, sources, answers, of: (path) => asked.filter(([p]) => p === path).map(([, q]) => q) };
}

/** news returns a stream that announces a change of the table once, and then stays silent. */
export function news() {
  let told = false;
  return () => (told ? new Promise(() => {}) : ((told = true), new Response("event: table\n\n")));
}

/** refuses returns an answer that is a refusal of the host. */
export const refuses = (text, status = 422) => () => { throw Object.assign(new Error(text), { status }); };

/** until waits until a value is as wanted. */
export async function until(what, wanted = () => true) {
  for (let n = 0; n < 900; n++) {
    const value = await what();
    if (value && wanted(value)) return value;
    await new Promise((done) => setTimeout(done, 5));
  }
  throw new Error("it never came: " + what);
}

const fire = (node, event) => (node.dispatchEvent(event), node);
export const click = (node) => fire(node, new MouseEvent("click", { bubbles: true, cancelable: true }));
export const key = (node, key, more = {}) => fire(node, new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true, ...more }));
export const point = (node, type, x, y, more = {}) => fire(node, new PointerEvent("pointer" + type, { bubbles: true, cancelable: true, clientX: x, clientY: y, pointerId: 1, pointerType: "touch", button: 0, ...more }));
export const $$ = (selector, root = document) => [...root.querySelectorAll(selector)];
/** labelled returns the last button with a label. */
export const labelled = (text, root = document) => $$("button, a", root).findLast((b) => b.textContent.trim() === text);

const english = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ?"].map((text, i) => ({ text, value: i === 26 ? 0 : (i % 5) + 1 }));
const plain = ".".repeat(225);

/** sight returns a table of Ann, who is to move, and Bob. */
export const sight = (more = {}, own = {}) => ({
  table: 1, number: 10, phase: "playing", size: 15, squares: plain.slice(0, 112) + "*" + plain.slice(113), tiles: english, board: Array(225).fill(""),
  players: [{ seat: 0, name: "Ann", score: 10, toMove: true }, { seat: 1, name: "Bob", score: 20, clock: { left: 61000 } }], seats: 2, supply: "86 tiles left", caption: "Bob played HO.", turns: [], buttons: [{ id: "1:1:10:unseen:", label: "Unseen tiles" }],
  own: own && { seat: 0, rack: [..."HORNAE?"], lays: "play", turn: true, pass: true, hints: true, exchange: 7, ...own },
  ...more,
});
export const square = (at) => document.querySelector(`[data-square="${(parseInt(at, 10) - 1) * 15 + at.charCodeAt(at.length - 1) - 65}"]`);
