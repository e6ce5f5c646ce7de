// Tests of static/dom.js, for node's test runner. TestScripts in Go runs them.

import test, { mock } from "node:test";
import assert from "node:assert/strict";

const banner = { hidden: true };
globalThis.document = { getElementById: (id) => (id === "offline" ? banner : null) };
const { online } = await import("../static/dom.js");

test("the banner shows after a moment, however often it is tried again meanwhile", () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  const later = (ms) => mock.timers.tick(ms);
  online(false);
  later(1000);
  online(false); // a browser tries again each second
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
