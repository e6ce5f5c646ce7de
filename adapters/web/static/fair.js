// The page that checks a finished game's draws in the browser. The checker is draws.js.

import { $, el, announce } from "./dom.js";
import { say, parts, translate } from "./say.js";
import { check, Fault } from "./draws.js";
import "./settings.js";

const asked = new URLSearchParams(location.search);
const game = asked.get("game"); // the key of a game's page

/** @param {(string | Node)[]} sentence @param {boolean} [bad] */
function tell(sentence, bad = false) {
  $("page-said").replaceChildren(...sentence);
  $("page-said").classList.toggle("bad", bad);
  announce($("page-said").textContent);
}

/** why returns a sentence that describes a fault. @param {{ what: string, n?: number, got?: string, want?: string }} fault */
function why({ what, n, got, want }) {
  switch (what) {
    case "format": return say("This isn't the proof of a game: choose the file whose name ends in -proof.json.");
    case "commitment": return say("The proof doesn't hold: its secret doesn't match the digest it states.");
    case "posted": return say("The proof doesn't hold: its secret isn't the one whose digest was posted when the table opened.");
    case "draw": return say("The proof doesn't hold: event {n} drew {got}, but the secret gives {want}.", { n: String(n), got: got || "–", want: want || "–" });
    default: return say("The proof doesn't hold: event {n} can't follow what comes before it.", { n: String(n) });
  }
}

/** @param {string} text */
async function judge(text) {
  $("drawn").replaceChildren();
  const posted = $("posted").value.trim().toLowerCase();
  try {
    const draws = await check(JSON.parse(text), posted);
    const sentence = posted
      ? say("The proof holds: all {n, plural, one {# draw comes} other {# draws come}} from the secret whose digest was posted.", { n: draws.length })
      : say("All {n, plural, one {# draw comes} other {# draws come}} from the secret in the file. Now compare its digest with the one posted when the table opened.", { n: draws.length });
    tell([sentence]);
    $("drawn").replaceChildren(...draws.map((d) => el("li", { value: String(d.n) }, el("code", {}, d.kind), " ", el("bdi", {}, d.drew))));
  } catch (fault) {
    tell([why(fault instanceof Fault ? fault : { what: "format" })], true);
  }
}

async function fetched() {
  try {
    const answer = await fetch(`/g/${encodeURIComponent(game ?? "")}/files/proof`);
    if (!answer.ok) throw new Error(answer.statusText);
    await judge(await answer.text());
  } catch {
    tell([say("I can't get the proof of that game here. You can have it once the game is over, or choose it as a file.")], true);
  }
}

$("proof").addEventListener("change", async () => {
  const file = $("proof").files?.[0];
  if (file) judge(await file.text());
});

translate(document.body);
$("posted").value = asked.get("posted") ?? "";
if (!globalThis.crypto?.subtle) {
  // Browsers provide digests only on pages loaded over HTTPS or from this machine.
  $("proof").disabled = true;
  tell(parts("This browser can't compute digests on a page that wasn't loaded over HTTPS. Open the room over HTTPS, or check the file with {command}.", { command: el("code", {}, "rackmate verify") }), true);
} else if (game) fetched();
