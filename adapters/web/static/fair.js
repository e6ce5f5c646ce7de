// The page that checks a finished game in the browser. The checker is draws.js, with rules.js.

import { $, el, announce } from "./dom.js";
import { say, parts, translate } from "./say.js";
import { check, digestOf, findDigest, Fault } from "./draws.js";
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
    case "score": return say("The proof doesn't hold: event {n} says {got}, but the rules give {want}.", { n: String(n), got: got || "–", want: want || "–" });
    default: return say("The proof doesn't hold: event {n} can't follow what comes before it.", { n: String(n) });
  }
}

let last = ""; // proof that was judged

/** @param {string} text */
async function judge(text) {
  last = text;
  $("drawn").replaceChildren();
  const typed = $("posted").value.trim(), posted = findDigest(typed);
  if (typed && !posted) {
    tell([/^https?:/.test(typed)
      ? say("I can't open links. Open that message and copy its line in small type.")
      : say("I can't find a digest in that. Copy the line in small type under the message that opened the table.")], true);
    return;
  }
  try {
    const proof = JSON.parse(text), draws = await check(proof, posted);
    const sentence = posted
      ? [say("The proof holds: all {n, plural, one {# draw comes} other {# draws come}} from the secret whose digest you entered, and turns, scores and winners follow the rules.", { n: draws.length })]
      : parts("The file agrees with itself, but so far you only have the host's word. Paste the line in small type under the message that opened the table. It must say {digest}.", { digest: el("code", {}, digestOf(proof.commitment)) });
    tell(sentence);
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

$("posted").addEventListener("change", () => last && judge(last));

translate(document.body);
if (!globalThis.crypto?.subtle) {
  // Browsers provide digests only on pages loaded over HTTPS or from this machine.
  $("proof").disabled = true;
  tell(parts("This browser can't compute digests on a page that wasn't loaded over HTTPS. Open the room over HTTPS, or check the file with {command}.", { command: el("code", {}, "rackmate verify") }), true);
} else if (game) fetched();
