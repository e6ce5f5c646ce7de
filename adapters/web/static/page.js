// The page of a game: its board to play on or to watch, and after the end its
// review, with the plays on the board.

import { $, announce } from "./dom.js";
import { reviews } from "./review.js";
import { say, translate } from "./say.js";
import { plain, refusal } from "./api.js";
import { open } from "./table.js";
import { give, ofGame } from "./give.js";
import "./settings.js";

const { base } = document.body.dataset;
/** @type {Sight | null} */
let sight = null; // the table as it stands

const table = open(base + "/", $("board"), {
  sight: shown,
  said: (reply) => tell(reply?.text ? plain(reply) : "", reply?.refused),
  share: () => give(ofGame(location.pathname)),
  review: () => $("review").click(),
  tries: () => review,
  moves: $("page-moves"),
  lost: (e) => tell(e.message || say("This page is gone."), true),
});

/** @param {string} text @param {boolean} [refused] */
function tell(text, refused = false) {
  $("page-said").textContent = text;
  $("page-said").classList.toggle("bad", refused);
  if (text) announce(text);
}

// ---- who am I

// A link that was given to one person has their pass behind "#": no server and no
// site that looks for a preview gets to see it. It is used here, once.
async function enter() {
  const pass = new URLSearchParams(location.hash.slice(1)).get("pass");
  if (!pass) return;
  history.replaceState(null, "", location.pathname);
  try {
    await table.call("enter", { pass });
  } catch (e) {
    tell(plain(refusal(e)), true);
  }
}

/** @param {Sight | null} next */
function shown(next) {
  if (!next) return;
  sight = next;
  const turn = Boolean(sight.own?.turn);
  const names = sight.players.map((p) => p.name).join(" – ");
  $("page-title").textContent = names;
  document.title = (turn ? `● ${say("Your move")} · ` : "") + names;
  badge(turn);
  $("after").hidden = sight.phase !== "over";
}

/** @param {boolean} on */
function badge(on) {
  if (on) navigator.setAppBadge?.(1).catch(() => {});
  else navigator.clearAppBadge?.().catch(() => {});
}

$("share").addEventListener("click", async () => {
  try {
    await navigator.clipboard.writeText(ofGame(location.pathname));
    tell(say("The link is copied. Anybody who has it can watch this game."));
  } catch {
    tell(ofGame(location.pathname));
  }
});

// ---- the review

const review = reviews($("judged"), {
  board: () => table.board, sight: () => sight, ask: () => table.call("review"), tell, attempt: (play) => table.call("try", play, { tries: 1 }),
  trying: (is) => is && $("board").scrollIntoView({ block: "nearest" }),
  begin: () => ($("review").hidden = true),
});

$("review").addEventListener("click", async () => {
  $("review").setAttribute("aria-busy", "true");
  await review.make();
  $("review").removeAttribute("aria-busy");
  $("review").hidden = !$("judged").hidden;
});

translate(document.body);
if (location.hash === "#fair") $("fair").open = true;
enter().then(() => table.start());
