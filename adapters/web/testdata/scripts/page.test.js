// Tests of pages made of blocks.

import test from "node:test";
import assert from "node:assert/strict";
import { browse, until } from "./browser.js";

const { sources, window } = browse(`<main id="blocks"><h1>Spring</h1><details id="cross"><summary>Cross table</summary></details><details id="player-1"><summary>Ann</summary></details></main>`, {
  data: { base: "/e/abc", live: "" }, url: "https://play.example.org/e/abc?wall#player-1",
});
const asked = [];
let answer = { status: 200, tag: '"1"', markup: "" };
globalThis.XMLHttpRequest = class {
  headers = {};
  open(method, address) {
    this.address = address;
  }
  setRequestHeader(name, value) {
    this.headers[name] = value;
  }
  getResponseHeader() {
    return answer.tag;
  }
  send() {
    asked.push(this);
    if (answer.status) {
      this.status = answer.status;
      this.response = new window.DOMParser().parseFromString(answer.markup, "text/html");
      this.onload();
    }
    this.onloadend();
  }
};
// The script's pauses end at once.
const later = globalThis.setTimeout;
globalThis.setTimeout = (f, ms) => later(f, Math.min(ms, 1));
await import("../../static/page.js");
const event = () => document.getElementById("blocks");

test("the card that the address names is open", () => {
  assert.ok(document.getElementById("player-1").open);
  location.hash = "#cross";
  dispatchEvent(new Event("hashchange"));
  assert.ok(document.getElementById("cross").open);
});

test("it shows what is new, and leaves open what was", async () => {
  answer.markup = `<h1>Round 2</h1><details id="cross"><summary>Cross table</summary></details><details id="other"><summary>Other</summary></details>`;
  document.querySelector("#cross summary").focus();
  sources[0].tell("table", {});
  await until(() => event().textContent.includes("Round 2"));
  assert.equal(new URL(asked[0].address).search, "?wall=&part=");
  assert.equal(asked[0].responseType, "document");
  assert.ok(document.getElementById("cross").open);
  assert.ok(!document.getElementById("other").open);
});

test("what is the same is asked for by its digest, and left as it is", async () => {
  const before = event().firstChild;
  answer = { status: 304, tag: '"1"', markup: "" };
  await until(() => {
    sources[0].tell("beat", {});
    return asked.length > 2;
  });
  assert.equal(asked.at(-1).headers["If-None-Match"], '"1"');
  assert.equal(event().firstChild, before);
});

test("where the connection is gone the next event asks again", async () => {
  const n = asked.length;
  answer = { status: 0 };
  await until(() => {
    sources[0].tell("table", {});
    return asked.length > n + 1;
  });
  answer = { status: 200, tag: '"2"', markup: "<h1>Round 3</h1>" };
  await until(() => {
    sources[0].tell("table", {});
    return event().textContent.includes("Round 3");
  });
});

test("a page that is left gives its connection back", () => {
  dispatchEvent(new Event("pagehide"));
  assert.equal(sources[0].readyState, EventSource.CLOSED);
  dispatchEvent(Object.assign(new Event("pageshow"), { persisted: true }));
  assert.equal(sources.length, 2, "and has another when the person comes back");
});
