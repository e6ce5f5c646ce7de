// The review of a finished game: the points lost by each move, and the plays on the board.

import { el, announce } from "./dom.js";
import { after, withPlay } from "./play.js";
import { moveRow } from "./story.js";
import { cgp } from "./cgp.js";
import { say, parts, tenths } from "./say.js";
import { plain, refusal, pause } from "./api.js";

/**
 * reviews draws the review in an element, which is hidden until the review has content. on
 * has:
 *
 *	board()       the board that shows the plays
 *	sight()       the current state of the table
 *	ask()         requests the moves judged so far, and their total number
 *	tell(text)    shows the progress, or the reason why there is no review
 *	attempt(play) requests the value of another play at a turn
 *	begin, end    called when the board begins and stops showing the review's plays
 *	trying(is)    called when the person begins and stops laying a try
 * @param {HTMLElement} box
 * @param {{ board(): Board, sight(): Sight | null | undefined, ask(): Promise<Reviewed>, tell(text: string, refused?: boolean): void, attempt(play: { turn: number, word: string, at: string, judge: boolean }): Promise<Tried>, begin?(): void, end?(): void, trying?(is: boolean): void }} on
 */
export function reviews(box, on) {
  /** @type {Review[]} */
  let turns = [];
  let moves = 1, at = -1; // index of the current turn
  let choice = -1; // index of its play shown; -1 is the one made
  let trying = false; // whether the person lays a try
  /** @type {Map<number, Judged[]>} */
  const tried = new Map(); // by turn
  let shownNumber = 0; // grows, since the board ignores older numbers
  let asking = 0; // the table that the review is for

  /** make requests the review, and shows its progress unless it is quiet. @param {{ quiet?: boolean }} [how] */
  async function make({ quiet = false } = {}) {
    const table = on.sight()?.table ?? 0;
    if (!quiet) on.tell(say("Analysing…"));
    if (asking !== table) [turns, moves, at, choice] = [[], 1, -1, -1];
    else if (turns.length < moves && !quiet) return draw(); // already running
    asking = table;
    try {
      for (let first = true; turns.length < moves; first = false) {
        if (!first) await pause(700);
        const made = await on.ask();
        if (asking !== table || on.sight()?.table !== table) return;
        ({ turns, moves } = made);
        if (made.accuracy) on.board().judged?.(made.accuracy.map((n, seat) => (turns.some((t) => t.seat === seat) ? n : undefined))); // without moves there is no accuracy
        if (!quiet || at >= 0) on.tell(turns.length < moves ? say("Analysing: {n} of {all}", { n: turns.length, all: moves }) : "");
        if (turns.length && !box.hidden) draw();
        else if (turns.length && !quiet) draw();
        if (turns.length < moves && quiet) await pause(2000);
      }
      if (turns.length && !quiet) {
        on.tell("");
        draw();
      }
      if (!turns.length) on.tell(say("Nobody made a move in that game, so there is nothing to review."), true);
    } catch (e) {
      asking = 0;
      if (!quiet) on.tell(plain(refusal(e)), true);
    }
  }

  function draw() {
    const sight = on.sight();
    if (!sight) return;
    const { players } = sight;
    box.hidden = false;
    const nameOf = (/** @type {Review} */ t) => players.find((p) => p.seat === t.seat)?.name ?? "";
    const lost = (/** @type {Review} */ t) => (t.chance ? `−${t.chance}` : t.loss < 0.05 ? say("best") : `${t.sure ? t.sure + " " : ""}−${Number.isInteger(t.loss) ? t.loss : tenths(t.loss)}`);
    const rows = turns.map((t, i) => el("li", {}, moveRow({ "aria-current": i === at ? "step" : null, onclick: () => look(i, -1) },
      { number: t.turn, by: nameOf(t), text: t.made.text, points: `+${t.made.points}` }, el("span", { class: t.loss < 0.05 && !t.chance ? "loss good" : "loss" }, lost(t)))));
    const one = turns[at];
    const own = tried.get(at) ?? [], all = one ? plays(at) : [];
    const mark = (/** @type {number} */ i) => (!i ? "▸" : i <= own.length ? "✎" : String(i - own.length));
    const list = !one ? [] : [
      el("p", {}, ...parts("{name} had {rack}.", { name: el("bdi", {}, nameOf(one)), rack: el("b", {}, one.rack.join(" ")) }), one.remark ? ` ${one.remark}.` : ""),
      el("ol", { class: "choices", "aria-label": say("The best moves") }, ...all.map((w, i) => el("li", {}, moveRow({ "aria-current": i - 1 === choice ? "step" : null, onclick: () => look(at, i - 1) },
        { number: mark(i), text: w.text, points: w.points }, el("span", { class: "loss" }, w.chance ?? tenths(w.equity)))))),
      el("div", { class: "after-buttons" },
        !trying && !one.rack.some((t) => !t) && el("button", { type: "button", class: "button small primary", onclick: tryAgain }, say("Try again")),
        step(say("Previous move"), "‹", at > 0, () => look(at - 1, -1)),
        step(say("Next move"), "›", at < turns.length - 1, () => look(at + 1, -1)),
        el("a", { class: "button small", href: analyse(one), target: "_blank" }, say("Analyse")),
        el("button", { type: "button", class: "button small", onclick: done }, say("Back to the end"))),
    ];
    const focused = [...box.querySelectorAll("button")].findIndex((b) => b === document.activeElement);
    box.replaceChildren(el("div", { class: "judged-one" }, ...list), el("h2", {}, say("Points lost")), el("ol", { class: "moves judged" }, ...rows));
    [...box.querySelectorAll("button")][focused]?.focus({ preventScroll: true });
    if (at >= 0) box.scrollTop = 0;
    else box.querySelector(".judged [aria-current]")?.scrollIntoView({ block: "nearest" });
  }

  /** step returns a button with an icon that leads to another move. @param {string} label @param {string} shown @param {boolean} can @param {() => void} go */
  const step = (label, shown, can, go) => el("button", { type: "button", class: "button small step", "aria-label": label, title: label, "aria-disabled": can ? null : "true", onclick: () => can && go() }, shown);

  /** look shows a play of a turn on the board before the turn. @param {number} turn @param {number} which */
  function look(turn, which) {
    const sight = on.sight();
    if (!sight) return;
    if (at < 0) on.begin?.();
    stopTrying();
    [at, choice] = [turn, which];
    const t = turns[turn], w = plays(turn)[which + 1], mine = tried.get(turn)?.length ?? 0;
    const caption = which < 0 ? say("Played: {play} for {points}", { play: w.text, points: w.points }) : which < mine ? verdict(t, w) : which === mine ? say("Best: {play} for {points}", { play: w.text, points: w.points }) : say("Choice {n}: {play} for {points}", { n: which - mine + 1, play: w.text, points: w.points });
    shownNumber += 1;
    on.board().show({ ...sight, own: undefined, ending: undefined, number: sight.number + shownNumber, board: withPlay(before(sight, t), w), fresh: w.squares ?? [], gone: [], turns: [], caption, buttons: [] });
    announce(caption);
    draw();
  }

  /** analyse returns the address where a turn's position can be analysed. @param {Review} t */
  function analyse(t) {
    const sight = /** @type {Sight} */ (on.sight()), earlier = sight.turns.slice(0, count(sight, t));
    const score = (/** @type {string} */ name) => earlier.findLast((one) => one.player === name && one.total !== undefined)?.total ?? 0;
    const others = sight.players.filter((p) => p.seat !== t.seat), all = [...sight.players.filter((p) => p.seat === t.seat), ...others];
    const position = cgp({ board: before(sight, t), size: sight.size, racks: all.map((_, i) => (i ? [] : t.rack)), scores: all.map((p) => score(p.name)) });
    return "/analyse#" + new URLSearchParams({ cgp: position });
  }

  /** before returns the board before a turn. @param {Sight} sight @param {Review} t */
  const before = (sight, t) => after(sight, count(sight, t));

  /** count returns how many lines the list of moves has before a turn. @param {Sight} sight @param {Review} t */
  const count = (sight, t) => Math.max(0, sight.turns.findIndex((one) => one.number === t.turn));

  /** plays returns the plays of a turn: the one made, the person's tries, and the best. @param {number} turn */
  const plays = (turn) => [turns[turn].made, ...(tried.get(turn) ?? []), ...turns[turn].best];

  /** verdict compares a try with the best play. @param {Review} t @param {Judged} w */
  function verdict(t, w) {
    const best = t.best[0], value = { play: w.text, points: w.points };
    if (w.chance ? w.chance === best.chance : w.equity >= best.equity - 0.05) return say("Your try: {play} for {points}. There's nothing better.", value);
    if (w.chance && best.chance) return say("Your try: {play} for {points}. Chance to win: {chance}, at best {best}.", { ...value, chance: w.chance, best: best.chance });
    return say("Your try: {play} for {points}. The best is worth {n} more.", { ...value, n: tenths(best.equity - w.equity) });
  }

  // ---- tries

  /** tryAgain gives the rack back on the board before the turn, for a try. */
  function tryAgain() {
    const sight = on.sight(), t = turns[at];
    if (!sight) return;
    trying = true;
    shownNumber += 1;
    const caption = say("Your try: lay a better play for {name}.", { name: sight.players.find((p) => p.seat === t.seat)?.name ?? "" });
    on.board().show({ ...sight, ending: undefined, number: sight.number + shownNumber, board: before(sight, t), fresh: [], gone: [], turns: [], caption, buttons: [], own: { seat: t.seat, rack: t.rack, lays: "play", turn: true, exchange: 0, tries: true } });
    announce(caption);
    draw();
    on.trying?.(true);
  }

  function stopTrying() {
    if (!trying) return;
    trying = false;
    on.trying?.(false);
  }

  /** judge has a try judged. @param {Act} request @returns {Promise<Reply>} */
  async function judge({ args }) {
    const turn = at;
    try {
      const { judged, problem, words } = await on.attempt({ turn: turns[turn].turn, word: args.word, at: args.at, judge: true });
      const wrong = (words ?? []).filter((w) => w.invalid).map((w) => w.text);
      if (problem || !judged) return { refused: true, text: [{ text: problem || say("{n, plural, one {{words} is not in the word list.} other {{words} are not in the word list.}}", { n: wrong.length, words: wrong.join(", ") }) }] };
      const others = (tried.get(turn) ?? []).filter((w) => w.text !== judged.made.text);
      tried.set(turn, [judged.made, ...others]);
      if (at === turn && trying) look(turn, 0);
    } catch (e) {
      return refusal(e);
    }
    return { text: [] };
  }

  function done() {
    const sight = on.sight();
    if (!sight) return;
    stopTrying();
    [at, choice] = [-1, -1];
    shownNumber += 1;
    on.board().show({ ...sight, number: sight.number + shownNumber });
    draw();
    on.end?.();
  }

  return {
    make,
    /** looks reports whether the board shows one of the review's plays. */
    looks: () => at >= 0,
    /** tries reports whether the person lays a try. If so, draft and judge replace the game's requests. */
    tries: () => trying,
    judge,
    draft: (/** @type {{ word: string, at: string }} */ play) => on.attempt({ ...play, turn: turns[at].turn, judge: false }),
    /** first shows the first mistake, or else the first move. */
    first: () => turns.length > 0 && look(Math.max(0, turns.findIndex((t) => t.chance || t.loss >= 0.05)), -1),
    /** leave drops the review, since another game is in view. */
    leave() {
      stopTrying();
      tried.clear();
      [asking, turns, moves, at, choice] = [0, [], 1, -1, -1];
      box.hidden = true;
      box.replaceChildren();
    },
  };
}
