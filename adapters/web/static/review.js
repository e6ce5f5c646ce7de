// The review of a finished game: a curve of the chance to win, the mistakes in sentences, and the
// plays on the board.

import { el, announce, icon, isolate } from "./dom.js";
import { after, withPlay } from "./play.js";
import { chance, choices, cost, given, lead, least, points } from "./choices.js";
import { moveRow } from "./story.js";
import { cgp } from "./cgp.js";
import { say, parts } from "./say.js";
import { plain, refusal, pause } from "./api.js";
import { chances, curveOfChances, mistake, titleOfChances } from "./curve.js";

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
  let waits = false; // whether the person waits for their worst mistake

  /** make requests the review, and shows its progress unless it is quiet. @param {{ quiet?: boolean }} [how] */
  async function make({ quiet = false } = {}) {
    const table = on.sight()?.table ?? 0;
    if (!quiet && (asking !== table || turns.length < moves)) on.tell(say("Analysing…"));
    if (asking !== table) [turns, moves, at, choice] = [[], 1, -1, -1];
    else if (turns.length < moves && !quiet) return draw(); // already running
    asking = table;
    try {
      for (let first = true; turns.length < moves; first = false) {
        if (!first) await pause(700);
        const made = await on.ask();
        if (asking !== table || on.sight()?.table !== table) return;
        ({ turns, moves } = made);
        if (made.accuracy) on.board().judged?.(made);
        const seen = !quiet || waits || at >= 0;
        if (seen) on.tell(turns.length < moves ? say("Analysing: {n} of {all}", { n: turns.length, all: moves }) : "");
        if (turns.length && (!box.hidden || seen)) draw();
        if (turns.length < moves && !seen) await pause(2000);
      }
      if (waits) worst();
      if (!turns.length && !quiet) on.tell(say("Nobody made a move in that game, so there's nothing to review."), true);
    } catch (e) {
      asking = 0;
      if (!quiet) on.tell(plain(refusal(e)), true);
    }
  }

  // ---- in words

  const sightNow = () => /** @type {Sight} */ (on.sight());
  const nameOf = (/** @type {Review} */ t) => sightNow().players.find((p) => p.seat === t.seat)?.name ?? "";
  const isOwn = (/** @type {Review} */ t) => t.seat === sightNow().seat;

  /** byCost orders mistakes, the costliest first. @param {Review} a @param {Review} b */
  const byCost = (a, b) => (b.given ?? 0) - (a.given ?? 0) || b.loss - a.loss;

  /** verdict returns a sentence about how good a turn's move was. @param {Review} t */
  function verdict(t) {
    const best = t.best[0], { made } = t, share = t.given ?? 0, who = isOwn(t) ? "you" : "other", name = nameOf(t);
    if (!best || !mistake(t)) return say("{who, select, you {You} other {{name}}} played {play} for {points}: nothing was better.", { who, name, play: made.text, points: made.points });
    if (!best.squares) return say("It was better to choose: {play}. That's worth {cost}.", { play: best.text, cost: cost(best, made, share, t.loss) });
    if (share < least) return say("{who, select, you {You} other {{name}}} missed {play}: {n, plural, one {# point} other {# points}} more by the end.", { who, name, play: best.text, n: Math.round(t.loss) });
    if (best.points <= made.points) return say("{who, select, you {You} other {{name}}} missed {play}. It scores no more, but it's worth {share} of the game.", { who, name, play: best.text, share: given(best, made, share) });
    return say("{who, select, you {You} other {{name}}} missed {play}: {n, plural, one {# point} other {# points}}, and {share} of the game.", { who, name, play: best.text, n: best.points, share: given(best, made, share) });
  }

  /** compare returns a sentence that compares a try with the move made and the best one. @param {Review} t @param {Judged} w */
  function compare(t, w) {
    const best = t.best[0], value = { play: w.text, points: w.points }, tried = say("Your try: {play} for {points}.", value);
    const ahead = lead(w, t.made), than = ahead > 0 ? say("It's better than the move played.") : ahead < 0 ? say("The move played was better.") : say("It's as good as the move played.");
    if (lead(best, w) <= 0) return [tried, than, say("There's nothing better.")].join(" ");
    return [tried, than, say("The best is {play}, worth {cost} more.", { play: best.text, cost: cost(best, w, (best.win ?? 0) - (w.win ?? 0), best.equity - w.equity) })].join(" ");
  }

  // ---- the panel

  function draw() {
    const sight = on.sight();
    if (!sight) return;
    const one = turns[at], hidden = box.hidden;
    box.hidden = false;
    const focused = [...box.querySelectorAll("button")].findIndex((b) => b === document.activeElement);
    box.replaceChildren(
      el("div", { class: "review-head" },
        step(say("Previous move"), "‹", at > 0, () => look(at - 1, -1)),
        el("p", {}, one ? say("{n} of {all}", { n: at + 1, all: moves }) : ""),
        step(say("Next move"), "›", at < turns.length - 1, () => look(at + 1, -1)),
        el("button", { type: "button", class: "icon-button", "aria-label": say("Back to the end"), title: say("Back to the end"), onclick: done }, icon("close"))),
      one ? judgedOne(one) : "", mistakes(), allMoves());
    [...box.querySelectorAll("button")][focused]?.focus({ preventScroll: true });
    if (hidden) box.scrollTop = 0;
    drawCurve();
  }

  /** judgedOne describes the current turn: what was missed, and the plays to choose from. @param {Review} one */
  function judgedOne(one) {
    const mine = tried.get(at)?.length ?? 0, all = plays(at);
    const name = (/** @type {number} */ i) => (!i ? say("Played") : i <= mine ? say("Your try") : i === mine + 1 ? say("Best") : String(i - mine));
    const human = !sightNow().players.find((p) => p.seat === one.seat)?.robot, asks = sightNow().seat === undefined ? human : isOwn(one);
    return el("section", { class: "judged-one" },
      el("h2", {}, ...isolate(choice >= 0 && choice < mine ? compare(one, all[choice + 1]) : verdict(one))),
      one.remark ? el("p", {}, one.remark + ".") : "",
      el("p", { class: "quiet" }, ...parts("{name} had {rack}.", { name: el("bdi", {}, nameOf(one)), rack: el("b", {}, one.rack.map((t) => t || "?").join(" ")) })),
      el("div", { class: "after-buttons" },
        asks && !trying && !one.rack.some((t) => !t) && el("button", { type: "button", class: "button small primary", onclick: tryAgain }, say("Find a better move")),
        el("a", { class: "button small", href: analyse(one), target: "_blank" }, say("Analyse"))),
      ...choices(all, { at: choice + 1, name, look: (i) => look(at, i - 1) }));
  }

  /** mistakes lists a player's mistakes as sentences, the worst first: the person's own, or everybody's. */
  function mistakes() {
    const { seat } = sightNow(), all = turns.flatMap((t, i) => (mistake(t) && (seat === undefined || t.seat === seat) && ((t.given ?? 0) >= least || t.loss >= 1) ? [{ t, i }] : []));
    all.sort((a, b) => byCost(a.t, b.t));
    if (turns.length < moves && !all.length) return "";
    if (!all.length) return el("p", { class: "quiet" }, say("No mistakes."));
    return el("section", { class: "mistakes" }, el("h3", {}, seat === undefined ? say("Worst mistakes") : say("Your worst mistakes")), el("ol", {}, ...all.slice(0, 8).map(({ t, i }) => el("li", {},
      el("button", { type: "button", class: "missed", "aria-current": i === at ? "step" : null, onclick: () => look(i, -1) }, el("span", {}, ...isolate(verdict(t))), el("span", { class: "quiet" }, ...isolate(say("Move {n}: {play} for {points}", { n: t.turn, play: t.made.text, points: t.made.points }))))))));
  }

  /** allMoves lists the game's moves with what each gave away. */
  function allMoves() {
    const minus = (/** @type {string} */ loss) => (loss.startsWith("<") ? "" : "−") + loss;
    const lost = (/** @type {Review} */ t) => (!mistake(t) ? "" : (t.given ?? 0) >= least ? minus(given(t.best[0], t.made, t.given ?? 0)) : t.loss < 0.5 ? "" : minus(points(t.loss)));
    return el("section", { class: "all" }, el("h3", {}, say("All moves")),
      el("div", { class: "turn-head", "aria-hidden": "true" }, el("span", {}, say("Player")), el("span", {}, say("Move")), el("span", {}, say("Points")), el("span", {}, say("Given away"))),
      el("ol", { class: "moves judged" }, ...turns.map((t, i) => el("li", {}, moveRow({ "aria-current": i === at ? "step" : null, onclick: () => look(i, -1) },
        { number: t.turn, by: nameOf(t), text: t.made.text, points: t.made.points }, el("span", { class: "loss" }, lost(t)))))));
  }

  /** step returns a button with an icon that leads to another move. @param {string} label @param {string} shown @param {boolean} can @param {() => void} go */
  const step = (label, shown, can, go) => el("button", { type: "button", class: "button small step", "aria-label": label, title: label, "aria-disabled": can ? null : "true", onclick: () => can && go() }, shown);

  // ---- the curve above the board

  const slider = el("div", { class: "slider", role: "slider", tabindex: "0", "aria-label": say("Chance to win"), "aria-valuemin": "1" });
  const seatOf = () => sightNow().seat ?? turns[0]?.seat ?? 0;

  function drawCurve() {
    const { above } = on.board(), { players } = sightNow(), seat = seatOf(), values = chances(turns, seat, players.length);
    if (at < 0 || !values.some((n) => n !== undefined)) return above?.replaceChildren();
    const drawn = curveOfChances(turns, seat, players.length), now = values[at];
    const one = turns[at];
    drawn.style.setProperty("--at", `${(100 * at) / Math.max(1, turns.length - 1)}%`);
    slider.setAttribute("aria-valuemax", String(turns.length));
    slider.setAttribute("aria-valuenow", String(at + 1));
    slider.setAttribute("aria-valuetext", [say("Move {n}: {play} for {points}", { n: at + 1, play: one.made.text, points: one.made.points }), now === undefined ? "" : say("Chance to win: {chance}", { chance: chance(now) })].filter(Boolean).join(". "));
    slider.replaceChildren(el("p", { class: "quiet", "aria-hidden": "true" }, el("span", {}, titleOfChances(sightNow(), seat)), el("b", {}, now === undefined ? "" : chance(now))), drawn);
    if (slider.parentElement !== above) above?.replaceChildren(slider);
  }

  /** point shows the move nearest to the pointer. @param {PointerEvent} e */
  function point(e) {
    const { left, width } = /** @type {HTMLElement} */ (slider.querySelector(".chances")).getBoundingClientRect();
    const to = Math.max(0, Math.min(turns.length - 1, Math.round(((e.clientX - left) / width) * (turns.length - 1))));
    if (to !== at) look(to, -1);
  }
  slider.addEventListener("pointerdown", (e) => {
    slider.setPointerCapture?.(e.pointerId);
    point(e);
  });
  slider.addEventListener("pointermove", (e) => e.buttons && point(e));
  slider.addEventListener("keydown", (e) => {
    const to = { ArrowLeft: at - 1, ArrowDown: at - 1, ArrowRight: at + 1, ArrowUp: at + 1, Home: 0, End: turns.length - 1 }[e.key];
    if (to === undefined) return;
    e.preventDefault();
    e.stopPropagation();
    if (turns[to]) look(to, -1);
  });

  // ---- on the board

  /** look shows a play of a turn on the board before the turn. @param {number} turn @param {number} which */
  function look(turn, which) {
    const sight = on.sight();
    if (!sight) return;
    if (at < 0) on.begin?.();
    stopTrying();
    [at, choice] = [turn, which];
    const t = turns[turn], w = plays(turn)[which + 1], mine = tried.get(turn)?.length ?? 0;
    const caption = which < 0 ? say("Played: {play} for {points}", { play: w.text, points: w.points }) : which < mine ? compare(t, w) : which === mine ? say("Best: {play} for {points}", { play: w.text, points: w.points }) : say("Choice {n}: {play} for {points}", { n: which - mine + 1, play: w.text, points: w.points });
    show({ board: withPlay(before(sight, t), w), fresh: w.squares ?? [], caption, players: standing(sight, t, which < 0 ? undefined : w.points) });
    announce(caption);
    draw();
  }

  /** show shows a position of the game on the board. @param {Partial<Sight>} position */
  function show(position) {
    const sight = sightNow();
    shownNumber += 1;
    on.board().show({ ...sight, own: undefined, ending: undefined, number: sight.number + shownNumber, gone: [], turns: [], buttons: [], ...position });
  }

  /**
   * standing returns the players with their scores after a turn: as it was made, or with a play for
   * some points.
   * @param {Sight} sight @param {Review} t @param {number} [points]
   */
  function standing(sight, t, points) {
    const n = count(sight, t), made = sight.turns[n]?.total;
    return sight.players.map((p) => {
      const then = scoreAt(sight, n, p.name);
      return { ...p, note: "", toMove: p.seat === t.seat, score: p.seat !== t.seat ? then : points === undefined ? made ?? then : then + points };
    });
  }

  /** scoreAt returns a player's score after n lines of the list of moves. @param {Sight} sight @param {number} n @param {string} name */
  const scoreAt = (sight, n, name) => sight.turns.slice(0, n).findLast((one) => one.player === name && one.total !== undefined)?.total ?? 0;

  /** analyse returns the address where a turn's position can be analysed. @param {Review} t */
  function analyse(t) {
    const sight = sightNow(), n = count(sight, t);
    const others = sight.players.filter((p) => p.seat !== t.seat), all = [...sight.players.filter((p) => p.seat === t.seat), ...others];
    const position = cgp({ board: before(sight, t), size: sight.size, racks: all.map((_, i) => (i ? [] : t.rack)), scores: all.map((p) => scoreAt(sight, n, p.name)) });
    return "/analyse#" + new URLSearchParams({ cgp: position });
  }

  /** before returns the board before a turn. @param {Sight} sight @param {Review} t */
  const before = (sight, t) => after(sight, count(sight, t));

  /** count returns how many lines the list of moves has before a turn. @param {Sight} sight @param {Review} t */
  const count = (sight, t) => Math.max(0, sight.turns.findIndex((one) => one.number === t.turn));

  /** plays returns the plays of a turn: the one made, the person's tries, and the best. @param {number} turn */
  const plays = (turn) => [turns[turn].made, ...(tried.get(turn) ?? []), ...turns[turn].best.filter((w, i) => !i || w.text !== turns[turn].made.text)];

  // ---- tries

  /** tryAgain gives the rack back on the board before the turn, for a try. */
  function tryAgain() {
    const sight = on.sight(), t = turns[at];
    if (!sight) return;
    trying = true;
    const caption = say("Your try: beat the play that was made.");
    show({ board: before(sight, t), fresh: [], caption, players: standing(sight, t, 0), own: { seat: t.seat, rack: t.rack, lays: "play", turn: true, exchange: 0, tries: true } });
    announce(caption);
    draw();
    on.trying?.(true);
  }

  function stopTrying() {
    if (!trying) return;
    trying = false;
    on.trying?.(false);
  }

  /**
   * beside returns a try with a chance to win as far from a turn's best move as it was when both were
   * judged together. Each judgement alone may be wrong by some percent.
   * @param {Review} judged @param {Judged} [best] @returns {Judged}
   */
  function beside({ made, best: found }, best) {
    const from = (found.find((w) => w.text === best?.text) ?? found[0])?.win;
    return made.win === undefined || best?.win === undefined || from === undefined ? made : { ...made, win: Math.min(1, Math.max(0, best.win + made.win - from)) };
  }

  /** judge has a try judged. @param {Act} request @returns {Promise<Reply>} */
  async function judge({ args }) {
    const turn = at;
    try {
      const { judged, problem, words } = await on.attempt({ turn: turns[turn].turn, word: args.word, at: args.at, judge: true });
      const wrong = (words ?? []).filter((w) => w.invalid).map((w) => w.text);
      if (problem || !judged) return { refused: true, text: [{ text: problem || say("{n, plural, one {{words} is not in the word list.} other {{words} are not in the word list.}}", { n: wrong.length, words: wrong.join(", ") }) }] };
      const { text } = judged.made, others = (tried.get(turn) ?? []).filter((w) => w.text !== text);
      tried.set(turn, [turns[turn].best.find((w) => w.text === text) ?? beside(judged, turns[turn].best[0]), ...others]);
      if (at === turn && trying) look(turn, 0);
    } catch (e) {
      return refusal(e);
    }
    return { text: [] };
  }

  /** worst shows the person's worst mistake, or their first move, unless they have chosen a move meanwhile. */
  function worst() {
    waits = false;
    if (at >= 0 || !turns.length) return;
    const { seat } = sightNow(), own = turns.flatMap((t, i) => (seat === undefined || t.seat === seat ? [i] : []));
    const mistakes = own.filter((i) => mistake(turns[i])).sort((a, b) => byCost(turns[a], turns[b]));
    look(mistakes[0] ?? own[0] ?? 0, -1);
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
    /** first shows the person's worst mistake once all moves are judged, or else their first move. */
    first() {
      waits = true;
      if (turns.length >= moves) worst();
    },
    /** leave drops the review, since another game is in view. */
    leave() {
      stopTrying();
      tried.clear();
      [asking, turns, moves, at, choice, waits] = [0, [], 1, -1, -1, false];
      on.board().above?.replaceChildren();
      box.hidden = true;
      box.replaceChildren();
    },
  };
}
