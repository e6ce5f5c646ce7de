// Tests of static/dom.js, for node's test runner. TestScripts in Go runs them.

import test, { mock } from "node:test";
import assert from "node:assert/strict";

const banner = { hidden: true };
globalThis.document = {
  getElementById: (id) => (id === "offline" ? banner : null),
  createElement: (tag) => ({ tag, text: "", append(...all) { this.text += all.join(""); } }),
};
const { online, alike, isolate } = await import("../../static/dom.js");

test("the banner shows after a moment, however often it is tried again meanwhile", () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  const later = (ms) => mock.timers.tick(ms);
  online(false);
  later(1000);
  online(false); // browsers retry every second
  assert.equal(banner.hidden, true, "not yet");
  later(600);
  assert.equal(banner.hidden, false, "shown");
  online(false);
  online(true);
  assert.equal(banner.hidden, true, "hidden again");
  online(false);
  later(1000);
  online(true);
  later(5000);
  assert.equal(banner.hidden, true, "not for a moment");
  online(false);
  later(1500);
  assert.equal(banner.hidden, false, "shown again");
});

test("names are understood without their accents", () => {
  for (const [name, typed] of [["échanger", "echanger"], ["zamień", "ZAMIEN"], ["słowo", "slowo"], ["plätze", "platze"], ["plätze", "plaetze"], ["größe", "groesse"], ["échanger", "e\u0301changer"]]) assert.ok(alike(name, typed), `${typed} for ${name}`);
  assert.ok(!alike("échanger", "changer"));
  assert.ok(!alike("neu", "nü"));
});

test("words from the right stand apart, and take no number along", () => {
  const shown = (words) => isolate(words).map((part) => (part.tag ? `<${part.tag}>${part.text}</>` : part)).join("");
  assert.equal(shown("HORN at 8H scores 14."), "HORN at 8H scores 14.");
  assert.equal(shown("שלום at 8H scores 17."), "<bdi>שלום</> at 8H scores 17.");
  assert.equal(shown("played של 9D for 14"), "played <bdi>של</> 9D for 14");
  assert.equal(shown("א ב ג"), "<bdi>א ב ג</>", "a rack is one");
  assert.equal(shown("א 6  ב 4\nש\nת"), "<bdi>א</> 6  <bdi>ב</> 4\n<bdi>ש</>\n<bdi>ת</>", "counts and lines are not");
});
