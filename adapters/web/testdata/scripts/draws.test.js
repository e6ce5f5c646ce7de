// Tests of the draw checker and its page. Go's tests give it whole games.

import test from "node:test";
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { browse, until } from "./browser.js";

const secret = "ab".repeat(32);
const commitment = createHash("sha256").update(Buffer.from(secret, "hex")).digest("hex");
const proof = (more = {}) => ({ format: "rackmate proof 1", commitment, secret, events: [{ v: 1, n: 0, kind: "opened", fact: { secret, layout: { rows: ["*."] }, rules: { rack_size: 7 }, tiles: { letters: [{ text: "A", count: 3, vowel: true }, { text: "B", count: 7 }], blank: { count: 2 } } } }], ...more });

let file = proof();
browse(`<p id="page-said"></p><input id="posted"><input id="proof" type="file"><ol id="drawn"></ol><div id="announce"></div>`, {
  url: "https://play.example.org/draws?game=abc", answers: { "g/abc/files/proof": () => file },
});
const { check, digestOf, findDigest } = await import("../../static/draws.js");
const join = (n, id) => ({ v: 1, n, kind: "joined", cause: id, fact: { person: { id } } });
const started = (more) => proof({ events: [...proof().events, join(1, "ann"), join(2, "bob"), { v: 1, n: 3, kind: "started", fact: {} }, ...more] });

test("why a proof doesn't hold", async () => {
  for (const [what, bad, posted] of [
    ["format", null], ["format", proof({ secret: "x" })], ["commitment", proof({ commitment: "0" })], ["posted", proof(), "aaaa-aaaa"], ["log", proof({ events: [] })], ["log", proof()],
    ["log", started([{ v: 1, n: 4, kind: "dealt", fact: {} }])], ["draw", started([{ v: 1, n: 4, kind: "order-drawn", fact: { seats: [0, 1], tiles: "AA" } }, { v: 1, n: 5, kind: "order-drawn", fact: { seats: [0, 1], tiles: "BB" } }])],
    ["log", started([{ v: 1, n: 4, kind: "unheard-of", fact: {} }])],
  ]) await assert.rejects(check(bad, posted), (fault) => fault.what === what, `${what} of ${JSON.stringify(bad)}`);
});

test("a digest is found in what somebody pastes", () => {
  const digest = digestOf(commitment);
  assert.match(digest, /^([a-z2-7]{4}-){7}[a-z2-7]{4}$/);
  for (const [text, want] of [[digest, digest], [`Ann opens.\nFair draws: ${digest.toUpperCase()}`, digest], [`SHA-256: ${commitment}`, digest], ["https://example.org/1", ""], [digest.slice(5), ""]]) assert.equal(findDigest(text), want);
});

test("the page says so", async () => {
  await import("../../static/fair.js");
  await until(() => document.getElementById("page-said").textContent.includes("can't follow"));
});
