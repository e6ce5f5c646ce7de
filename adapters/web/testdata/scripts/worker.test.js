// Tests of the service worker.

import test from "node:test";
import assert from "node:assert/strict";

const handlers = {}, shown = [], opened = [], kept = new Map();
const open = { url: "https://play.example.org/", focus: async () => {}, postMessage: (m) => opened.push(m.go) };
let windows = [];
const cache = { addAll: async (files) => files.forEach((f) => kept.set(f, "kept " + f)), put: async (path, response) => kept.set(path, await response.text()) };
Object.assign(globalThis, {
  self: globalThis, location: new URL("https://play.example.org/sw.js"), skipWaiting: async () => {},
  addEventListener: (name, f) => (handlers[name] = f),
  caches: { open: async () => cache, keys: async () => ["shell-0"], delete: async (name) => kept.set("gone", name), match: async (path) => (kept.has(path) ? new Response(kept.get(path)) : undefined) },
  clients: { claim: async () => {}, matchAll: async () => windows, openWindow: async (url) => opened.push(url) },
  registration: { showNotification: async (title, how) => shown.push([title, how.body, how.data.url]) },
});
await import("../../static/sw.js");

const happens = async (name, event = {}) => {
  const waits = [];
  let answer;
  handlers[name]({ waitUntil: (p) => waits.push(p), respondWith: (p) => (answer = p), ...event });
  const response = await answer;
  await Promise.all(waits);
  return response;
};
const asks = (url) => happens("fetch", { request: { method: "GET", url } });

test("it keeps the page's files, and forgets older ones", async () => {
  await happens("install");
  assert.ok(kept.has("/static/door.js"));
  await happens("activate");
  assert.equal(kept.get("gone"), "shell-0");
});

test("the room first, then what is kept", async () => {
  globalThis.fetch = async () => new Response("newer");
  assert.equal(await (await asks("https://play.example.org/static/door.js")).text(), "newer");
  await new Promise((done) => setTimeout(done));
  globalThis.fetch = async () => { throw new Error("away"); };
  assert.equal(await (await asks("https://play.example.org/static/door.js")).text(), "newer");
  assert.equal(await asks("https://play.example.org/api/me"), undefined, "nothing of any game");
});

test("a call is shown, and a press on it leads to the game", async () => {
  await happens("push", { data: { json: () => ({ title: "Your turn", body: "Bob played HO.", url: "/#general" }) } });
  assert.deepEqual(shown, [["Your turn", "Bob played HO.", "/#general"]]);
  const press = { notification: { close() {}, data: { url: "/#general" } } };
  await happens("notificationclick", press);
  windows = [open];
  await happens("notificationclick", press);
  assert.deepEqual(opened, ["/#general", "/#general"]);
});
