// The board on a game's own page: to play or watch, and after the end for the review, which shows
// plays on it.

import { $, el, announce, find } from "./dom.js";
import { reviews } from "./review.js";
import { say } from "./say.js";
import { plain } from "./api.js";
import { open } from "./table.js";
import { give, ofGame, shareGame } from "./give.js";

/** start shows a page's table on its board. When the game ends, it calls look to refresh the page. @param {HTMLElement} block @param {() => void} look */
export function start(block, look) {
  const { base } = document.body.dataset;
  /** @type {Sight | null} */
  let sight = null; // current state of the table
  const moves = el("div", { class: "page-moves" }), judged = el("div", { id: "judged", class: "judged-box", hidden: true });
  $("beside").append(moves, judged);

  const table = open(base + "/", find(".board-box", block), {
    sight: shown,
    said: (reply) => tell(reply?.text ? plain(reply) : "", reply?.refused),
    share: async () => (sight?.phase === "over" ? (shareGame(location.pathname, true), "") : give(ofGame(location.pathname))),
    review: judge,
    tries: () => review,
    moves,
    lost: (e) => tell(e.message || say("This page is gone."), true),
  });

  /** @param {string} text @param {boolean} [refused] */
  function tell(text, refused = false) {
    $("page-said").textContent = text;
    $("page-said").classList.toggle("bad", refused);
    if (text) announce(text);
  }

  /** @param {Sight | null} next */
  function shown(next) {
    if (!next) return;
    if (sight && sight.phase !== next.phase && next.phase === "over") look();
    sight = next;
    const turn = Boolean(sight.own?.turn);
    const names = sight.players.map((p) => p.name).join(" – ");
    $("page-title").textContent = names;
    document.title = (turn ? `● ${say("Your move")} · ` : "") + names;
    badge(turn);
  }

  async function share() {
    try {
      await navigator.clipboard.writeText(ofGame(location.pathname));
      tell(say("The link is copied. Anybody who has it can watch this game."));
    } catch {
      tell(ofGame(location.pathname));
    }
  }

  // ---- the review

  const review = reviews(judged, {
    board: () => table.board, sight: () => sight, ask: () => table.call("review"), tell, attempt: (play) => table.call("try", play, { tries: 1 }),
    trying: (is) => is && block.scrollIntoView({ block: "nearest" }),
  });

  async function judge() {
    const button = document.getElementById("review");
    button?.setAttribute("aria-busy", "true");
    await review.make();
    button?.removeAttribute("aria-busy");
    if (button) button.hidden = !judged.hidden;
  }

  document.addEventListener("click", (e) => {
    const { id } = /** @type {HTMLElement} */ (e.target);
    if (id === "share") share();
    else if (id === "review") judge();
  });
  table.enter().then(() => table.start());
}

/** @param {boolean} on */
function badge(on) {
  if (on) navigator.setAppBadge?.(1).catch(() => {});
  else navigator.clearAppBadge?.().catch(() => {});
}
