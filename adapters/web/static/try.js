// The board of the day: the person lays tiles to try plays, and sees everyone's results once it is
// over.

import { $, el, announce, find, spans as words } from "./dom.js";
import { say } from "./say.js";
import { plain } from "./api.js";
import { withPlay } from "./play.js";
import { open } from "./table.js";
import { asksName } from "./firsttry.js";

/** start shows the daily board. @param {HTMLElement} block */
export function start(block) {
  const { base } = document.body.dataset;
  /** @type {Daily} */
  let day;
  $("page-said").before(el("p", { id: "daily-state", class: "daily-state" }));
  const named = el("div", { class: "daily-name" }); // below the board, which never moves
  $("beside").classList.add("daily-aside");
  $("beside").append(named, ...["tries", "facts", "results", "plays"].map((name) => el("section", { id: "daily-" + name, hidden: true })),
    el("nav", { id: "daily-ways", class: "after-buttons", "aria-label": say("Other boards") }));

  const table = open(base + "/", find(".board-box", block), {
    still: true,
    sight(_, answer) {
      day = answer;
      draw();
    },
    said(reply, request) {
      tell(reply?.text ? plain(reply).split("\n")[0] : "", reply?.refused); // the rest is on the page
      if (!day?.stranger || reply.refused || !request) return;
      asksName(named, async () => {
        find(".page-head .button")?.remove();
        await table.give("daily", request.args);
      });
    },
    lost: (e) => tell(e.message || say("This page is gone."), true),
  });

  /** @param {string} text @param {boolean} [refused] */
  function tell(text, refused = false) {
    $("page-said").textContent = text;
    $("page-said").classList.toggle("bad", refused);
    if (text) announce(text);
  }

  /** part shows a part of the page, or hides it if it is empty. @param {string} id @param {string} title @param {(Node | false)[]} nodes */
  function part(id, title, nodes) {
    const all = /** @type {Node[]} */ (nodes.filter(Boolean));
    $(id).hidden = !all.length;
    $(id).replaceChildren(el("h2", {}, title), ...all);
  }

  /** bandOf draws how good a try is, as a coloured square. @param {DailyTry} t */
  const bandOf = (t) => el("span", { class: "band b" + t.level, title: t.band, role: "img", "aria-label": t.band });

  /** tryLine draws a try in a list. @param {DailyTry} t */
  const tryLine = (t) => el("li", {}, bandOf(t), el("span", { class: "play" }, el("bdi", {}, t.play)), el("b", { class: "number" }, String(t.score)));

  function draw() {
    $("page-title").textContent = document.title = day.title;
    $("daily-state").replaceChildren(...words(day.state), ...(day.streak ? [el("span", { class: "quiet" }, " " + day.streak)] : []));
    part("daily-tries", say("Your tries"), day.tries?.length ? [
      el("ol", { class: "daily-list" }, ...day.tries.map(tryLine)),
      day.share ? el("div", { class: "after-buttons" }, el("button", { type: "button", class: "button small", onclick: share }, say("Share"))) : false,
    ] : []);
    part("daily-facts", say("How it went"), (day.facts ?? []).map((line) => el("p", {}, ...words(line))));
    part("daily-results", say("Who played"), day.results?.length ? [el("ol", { class: "daily-list results" }, ...day.results.map((r) => el("li", { class: r.own ? "own" : "" },
      el("details", {}, el("summary", {}, el("span", { class: "number place" }, `${r.place}.`), el("bdi", { class: "play" }, r.name), el("span", { class: "bands" }, ...r.tries.map(bandOf)), el("b", { class: "number" }, `${r.percent} %`)),
        el("ol", { class: "daily-list" }, ...r.tries.map(tryLine))))))] : []);
    part("daily-plays", say("The best plays"), day.plays?.length ? [el("ol", { class: "daily-list" }, ...day.plays.map((p, i) => el("li", {},
      el("button", { type: "button", class: "turn", onclick: () => look(p.squares, p.tiles) }, el("span", { class: "number place" }, `${i + 1}.`), el("bdi", { class: "play" }, p.play), el("b", { class: "number" }, String(p.score))))))] : []);
    const way = (/** @type {string} */ href, /** @type {string} */ label) => el("a", { class: "button small", href }, label);
    $("daily-ways").replaceChildren(...[
      day.before && way("/d/" + day.before, say("Previous board")), day.after && way("/d/" + day.after, say("Next board")),
      !day.left && (day.over || !day.tries?.length) && way("/d", say("Today's board")), day.proof && way(base + "/proof", say("Proof of this board")),
    ].filter((x) => x instanceof Node));
  }

  /** look shows one of the best plays on the board. @param {number[]} squares @param {string[]} tiles */
  function look(squares, tiles) {
    const { sight, plays } = day, board = [...sight.board];
    for (const square of plays?.[0]?.squares ?? []) board[square] = "";
    table.board.show({ ...sight, board: withPlay(board, { squares, tiles }), fresh: squares });
    $("board").scrollIntoView({ block: "nearest" });
  }

  async function share() {
    const text = day.share ?? "";
    try {
      if (navigator.share && matchMedia("(pointer: coarse)").matches) return void (await navigator.share({ text }));
      await navigator.clipboard.writeText(text);
      tell(say("Copied. It gives nothing away."));
    } catch {
      tell(text);
    }
  }

  table.enter().then(() => table.start());
}
