// The board to play on. It holds the state of play.js and draws it, and reaches the host through
// the functions given to mount.

import * as p from "./play.js";
import { el, find } from "./dom.js";
import { kept } from "./kept.js";
import { plain } from "./api.js";
import { say } from "./say.js";
import { drags } from "./drag.js";
import { escapes, pressed, travelled } from "./keys.js";
import { face, fromRight, squares } from "./squares.js";
import { hand } from "./hand.js";
import { controls, refuses } from "./controls.js";
import { players } from "./players.js";
import { story, told } from "./story.js";
import { ending } from "./ending.js";
import { zooms } from "./zoom.js";
import { cheer, fly } from "./motion.js";

/** asks lists the commands whose answer is shown and leaves the turn unchanged: resign first asks for confirmation. */
export const asks = ["hint", "unseen", "resign"];

// A play of at least bingo tiles is celebrated for moment milliseconds. A play that follows at
// once, such as a robot's, is shown after that.
const bingo = 7, moment = 800;

/** mount creates a board in an element. @param {HTMLElement} root @param {BoardHost} host @returns {Board} */
export function mount(root, host) {
  /** @type {Now} */
  let now; // undefined until the first table is shown
  let at = 0; // when the view arrived
  let spot = -1; // the last square used

  const grid = el("div", { class: "board", role: "grid", "aria-label": say("The board") });
  const lies = squares(grid);
  const own = hand(set);
  // Open a review on the board, if possible.
  const press = (/** @type {string} */ id) => (host.review && id.split(":")[3] === "review" ? host.review() : host.press(id));
  const can = controls({ set, play, press, give: (command) => send({ command, args: {} }), choose: () => own.rack.querySelector("button")?.focus(), onward: (view) => end.onward(view), next: () => (host.more?.() ? host.next : undefined) });
  const who = players((text) => {
    host.say(text);
    host.sound(880);
  }, host.face);
  const moves = story(look, () => now && moves.draw(now));
  // rest moves the focus to the board when the focused element is gone.
  const rest = () => find('[tabindex="0"]', grid).focus({ preventScroll: true });
  const end = ending(host, rest);
  const above = el("div", { class: "above" });
  const field = el("div", { class: "field" }, grid, end.card);
  const zoom = zooms(field, grid);
  root.replaceChildren(who.all, above, field, el("div", { class: "news" }, who.caption, can.tally, can.spoken), own.rack, el("div", { class: "acts" }, can.acts, can.beside), can.extras, own.chooser);
  // The list of moves is below the board, or in the page's own place for it.
  const aside = host.moves ?? root.appendChild(el("div", { class: "after-board" }));
  aside.replaceChildren(own.notes, moves.scrub, moves.list);
  if (host.moves && innerWidth > 1000) moves.list.open = true;

  // ---- changing the state

  /** set changes to the next state, draws it, and requests its score. @param {State} next @param {{ focus?: boolean }} [how] */
  function set(next, { focus = false } = {}) {
    const { s } = now;
    if (next === s) return;
    if (next.note && next.note !== s.note) host.say(next.note);
    Object.assign(now, { s: next, sure: "", refusal: "" });
    if (next.laid.length > s.laid.length) host.sound();
    kept.setLong("rack " + now.view.table, p.keep(next));
    ask();
    draw(focus);
  }

  async function ask() {
    const key = p.draftKey(now.s), w = p.word(now.s);
    if (key === now.draft.key) return;
    now.draft = { key, said: null };
    const removes = now.view.own?.lays === "remove";
    if (!key || ("problem" in w && !removes)) return;
    let said;
    try {
      said = await host.draft({ ...("problem" in w ? { word: "", at: "", squares: p.taken(now.s) } : { word: w.word, at: w.at }), table: now.view.table });
    } catch {
      return; // the next change will ask again
    }
    if (now.draft.key !== key) return;
    now.draft.said = said;
    can.draw(now);
  }

  /** @param {Act} request */
  async function send(request) {
    if (now.sending) return;
    Object.assign(now, { sending: true, sure: "", refusal: "" });
    can.draw(now);
    try {
      // A request for information doesn't depend on the state of the table. Without a table, the
      // host asks for confirmation: before a resignation, and before a pass if its question can be
      // shown.
      const { table, number } = now.view, sure = request.command !== "resign" && !(request.command === "pass" && host.questions);
      const reply = await host.act({ ...request, ...(sure && { table }), ...(sure && !asks.includes(request.command) && { number }) });
      now.refusal = reply?.refused ? plain(reply) : "";
      if (now.refusal) host.say(now.refusal);
      else if (!asks.includes(request.command)) set(["submit", "daily"].includes(request.command) ? p.recall(now.s) : { ...now.s, mode: "lay", picked: [], note: "" }); // a submission is drawn separately
    } catch (e) {
      now.refusal = e instanceof Error ? e.message : String(e);
    } finally {
      now.sending = false;
      draw();
    }
  }

  function play() {
    const what = p.send(now.s, performance.now());
    const problem = "problem" in what ? what.problem : refuses(now.draft);
    if (problem) host.say((now.refusal = problem));
    else if ("problem" in what) return;
    else if (!host.settings().ask || now.sure === JSON.stringify(what)) return send(what);
    else now.sure = JSON.stringify(what);
    can.draw(now);
  }

  /** look shows the position after n moves. @param {number} n */
  function look(n) {
    now.back = n >= now.view.turns.length || n < 0 ? -1 : n;
    draw();
    if (now.back >= 0) host.say(told(now.view.turns, now.back));
  }

  // ---- taps, drags, keys

  const dragging = drags(root, grid, own.rack, {
    can: () => now.back < 0 && now.s.mode !== "exchange",
    face(id) {
      const { view, s } = now, laid = s.laid.find((l) => l.id === id);
      return face(view, laid ? p.at(s, laid.square) : s.rack.find((t) => t.id === id)?.text ?? "");
    },
    side: () => find(".cell", grid).getBoundingClientRect().width,
    free: (square) => !now.view.board[square],
    drop: (id, to) => set(p.drop(now.s, id, to)),
  });

  const cellOf = (/** @type {Event} */ e) => lies.of(/** @type {HTMLElement} */ (e.target).closest("[data-square]"));
  const tileOf = (/** @type {Event} */ e) => /** @type {HTMLElement | null} */ (/** @type {HTMLElement} */ (e.target).closest("[data-tile]"));

  grid.addEventListener("click", (e) => {
    const square = cellOf(e);
    if (square < 0 || dragging.dragged() || zoom.moved() || now.back >= 0) return;
    spot = square;
    set(p.tapSquare(now.s, square), { focus: true });
  });
  own.rack.addEventListener("click", (e) => {
    const tile = tileOf(e);
    if (!tile || dragging.dragged() || now.back >= 0) return;
    set(p.tapTile(now.s, Number(tile.dataset.tile)));
  });

  root.addEventListener("keydown", (e) => {
    if (!now || e.isComposing || e.ctrlKey || e.metaKey || e.altKey) return;
    const { view, s, back } = now;
    if (back >= 0 || moves.scrub.contains(/** @type {Node} */ (e.target))) {
      const to = travelled(e.key, back, view.turns.length);
      if (to === undefined) return;
      e.preventDefault();
      return look(to);
    }
    const square = cellOf(e), tile = tileOf(e);
    if (e.key === "Escape") {
      if (!escapes(s)) return;
      e.preventDefault();
      e.stopPropagation();
      return set(p.recall(s), { focus: square >= 0 });
    }
    if (tile && own.rack.contains(tile) && (e.key === "ArrowLeft" || e.key === "ArrowRight")) {
      const all = [...own.rack.querySelectorAll("button")], i = all.findIndex((b) => b === tile);
      all[(i + (e.key === "ArrowRight" ? 1 : -1) + all.length) % all.length]?.focus();
      return e.preventDefault();
    }
    if (square < 0 && !tile && !s.asking) return;
    const next = pressed(s, e, square, fromRight(view) ? -1 : 1);
    if (!next) return;
    if (!s.asking || e.key !== "Backspace") e.preventDefault();
    if (next === "play") play();
    else set(next, { focus: true });
  });

  // ---- drawing

  /** zoomed zooms to the squares being used, so that they are large enough for a finger. @param {boolean} [again] */
  function zoomed(again) {
    const { s, view, back } = now;
    const squares = back < 0 && s.mode === "lay" && !host.settings().whole ? [...s.laid.map((l) => l.square), ...(s.cursor ? [s.cursor.square] : [])] : [];
    const cells = squares.flatMap((square) => lies.cell(square) ?? []);
    zoom.show(cells, lies.cell(view.fresh?.[0] ?? Math.floor((view.size * view.size) / 2)), again);
  }
  new ResizeObserver(() => now && zoomed(true)).observe(field);

  /** @param {boolean} [focus] @param {boolean} [ends] whether the game has just ended @param {Turn[]} [news] */
  function draw(focus = false, ends = false, news = []) {
    const had = root.contains(document.activeElement);
    const came = lies.draw(now, spot, focus);
    zoomed();
    const last = now.view.turns.at(-1), cheered = news.findLast((t) => t.score && (t.changes ?? []).length >= bingo);
    if (came.length) fly(came, who.of(now.view, last?.player), cheered && cheered !== last ? moment : 0);
    if (cheered) cheer(field, "+" + cheered.score);
    root.classList.toggle("past", now.back >= 0);
    own.draw(now);
    can.draw(now);
    moves.draw(now);
    end.draw(now.view, now.back >= 0, ends);
    if (had && (document.activeElement === document.body || document.activeElement?.checkVisibility() === false)) rest();
  }

  const drawPlayers = () => who.draw(now.view, Date.now() - at);

  setInterval(() => {
    if (now && !root.hidden && (now.view.until || now.view.players.some((one) => one.clock?.runs))) drawPlayers();
  }, 1000);

  addEventListener("storage", (e) => {
    if (!now || e.key !== "rackmate rack " + now.view.table || dragging.dragging()) return;
    const theirs = p.restore(now.view, kept.getLong("rack " + now.view.table, null));
    now.s = { ...theirs, cursor: now.s.cursor, arrived: now.s.arrived };
    ask();
    draw();
  });

  return {
    above,
    judged(made) {
      end.judged(now.view, made);
      end.draw(now.view, now.back >= 0);
    },
    look: (n) => now && look(n),
    back: () => now?.back ?? -1,
    again() {
      if (!now) return;
      drawPlayers();
      can.draw(now);
    },
    show(view) {
      const news = view.table === now?.view.table ? view.turns.slice(now.view.turns.length) : [], ends = view.phase === "over" && view.table === now?.view.table && now.view.phase !== "over";
      if (view.table === now?.view.table) {
        if (view.number < now.view.number) return;
        const before = now.s;
        Object.assign(now, { view, s: p.update(before, view, performance.now()) });
        if (now.s.note && now.s.note !== before.note) host.say(now.s.note);
        if (now.s.view.number !== before.view.number) now.sure = now.refusal = "";
      } else now = { view, s: p.restore(view, kept.getLong("rack " + view.table, null)), back: -1, draft: { key: "", said: null }, sure: "", sending: false, refusal: "" };
      at = Date.now();
      ask();
      drawPlayers();
      draw(false, ends, now.back < 0 ? news : []);
      if (ends && document.activeElement === document.body) /** @type {HTMLElement | null} */ (end.card.querySelector("button.primary"))?.focus({ preventScroll: true });
    },
  };
}
