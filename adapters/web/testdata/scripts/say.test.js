// Tests of the page's sentences in another language.

import test from "node:test";
import assert from "node:assert/strict";
import { browse, until } from "./browser.js";

document_();
function document_() {
  browse('<p>Hello</p><button aria-label="Close"></button><p data-say="Press {key} to play."><kbd>Enter</kbd></p>', { answers: { "texts/de.json": { Hello: "Hallo", Close: "Schließen", "Press {key} to play.": "{key} spielt.", "{n, plural, one {# tile} other {# tiles}}": "{n, plural, one {# Stein} other {# Steine}}" } } });
  document.documentElement.dataset.languages = "de fr";
  localStorage.setItem("rackmate settings", JSON.stringify({ language: "de" }));
}
const { say, translate, language, list, tenths } = await import("../../static/say.js");

test("the reader's language, in sentences and in the page", () => {
  assert.equal(language, "de");
  assert.equal(say("Hello"), "Hallo");
  assert.equal(say("{n, plural, one {# tile} other {# tiles}}", { n: 2 }), "2 Steine");
  assert.equal(say("{way, select, across {A} other {B}}", { way: "across" }), "A");
  assert.equal(say("Not in it"), "Not in it");
  assert.equal(list(["A", "B", "C"]), "A, B und C");
  assert.match(tenths(1.25), /^1[.,]3$/);
  translate(document.body);
  assert.equal(document.querySelector("p").textContent, "Hallo");
  assert.equal(document.querySelector("button").getAttribute("aria-label"), "Schließen");
  assert.equal(document.querySelector("[data-say]").innerHTML, "<kbd>Enter</kbd> spielt.");
});
