// The board for analysing positions. The page shows a tree of a position and the moves tried from
// it, all of it in the address.

import { $, el, announce, find } from "./dom.js";
import { kept } from "./kept.js";
import { say } from "./say.js";
import { ask, plain, refusal } from "./api.js";
import { mount } from "./board.js";
import { withPlay } from "./play.js";
import { choices } from "./choices.js";
import { moveRow } from "./story.js";
import { settings, tick } from "./settings.js";
import { cgp } from "./cgp.js";
import { give } from "./give.js";

/** @typedef {{ parent: number, step: string }} Step  parent counts from 1, 0 is where it begins */

/** panel returns the elements beside the board: the fields of the position, its best moves, the
 * lines tried, all plays, and the form that opens a game.
 * @param {string[]} lists the word lists that there are */
function panel(lists) {
  const plainly = { autocomplete: "off", spellcheck: "false", autocapitalize: "characters" };
  const field = (/** @type {string} */ label, /** @type {HTMLElement} */ input) => el("label", {}, el("span", {}, label), input);
  const button = (/** @type {string} */ id, /** @type {string} */ label, more = {}) => el("button", { id, class: "button small", type: "button", ...more }, label);
  return [
    el("form", { id: "setup", class: "setup" },
      field(say("Rack to move"), el("input", { id: "rack", ...plainly })),
      field(say("Opponent's rack, if known"), el("input", { id: "theirs", ...plainly })),
      field(say("Score"), el("input", { id: "score", type: "number", value: "0" })),
      field(say("Opponent's score"), el("input", { id: "their-score", type: "number", value: "0" })),
      lists.length > 1 && field(say("Word list"), el("select", { id: "list" }, ...lists.map((name) => el("option", { value: name }, name)))),
      el("div", { class: "after-buttons" }, button("lay", say("Lay tiles"), { "aria-pressed": "false" }), button("clear", say("Empty board")), button("share", say("Copy link")))),
    el("section", { id: "best", class: "judged-box judged-one", "aria-label": say("The best moves") }),
    el("section", { id: "tree", class: "tree", "aria-label": say("Lines"), hidden: true }),
    el("details", { id: "plays", class: "fold" }, el("summary", {}, say("All legal plays")), el("ol", { class: "moves" })),
    el("details", { id: "open", class: "fold" }, el("summary", {}, say("Open a position or a game")),
      el("p", { class: "quiet" }, say("A position as CGP, or a whole game as GCG.")),
      el("textarea", { id: "written", rows: "4", "aria-label": say("CGP or GCG"), ...plainly }),
      el("p", {}, el("input", { id: "file", type: "file", accept: ".gcg,.cgp,.txt,.json", "aria-label": say("A file to open") })),
      button("read", say("Open"), { class: "button small primary" }),
      el("ol", { id: "moves", class: "moves", "aria-label": say("The game's moves") })),
  ];
}

/** start shows the analysis on a board. @param {HTMLElement} block */
export function start(block) {
  block.append(el("div", { id: "palette", class: "palette", role: "group", "aria-label": say("Tiles to put on the board"), hidden: true }));
  $("beside").append(...panel((block.dataset.lists ?? "").split(" ")));
  let base = ""; // first position as CGP; "" is an empty board
  let list = "";
  /** @type {Step[]} */
  let tree = [];
  let at = 0; // current step, from 1; 0 before the first
  /** @type {Analysis | null} */
  let shown = null; // result for the current position
  /** @type {string[] | null} */
  let laying = null; // the board while tiles are set up
  let cursor = { square: 112, down: false, used: false };
  let looking = -1; // index of the best move shown on the board
  let asked = 0, showings = 0;

  const board = mount($("board"), {
    async act({ command, args }) {
      const step = command === "play" ? `${args.at} ${args.word}` : command === "exchange" ? `exchange ${args.tiles}` : command;
      return take(step);
    },
    draft: async (play) => (await query({ try: play }, steps(at))).draft,
    press: () => {}, say: announce, settings, sound: tick,
  });

  // ---- the address

  function read() {
    const said = new URLSearchParams(location.hash.slice(1));
    base = said.get("cgp") ?? "";
    list = said.get("list") ?? "";
    tree = (said.get("t") ?? "").split("_").flatMap((one, i) => {
      const [, parent, step] = one.match(/^(\d+)\.(.+)$/) ?? [];
      return step && Number(parent) <= i ? [{ parent: Number(parent), step }] : [];
    });
    at = Math.min(Number(said.get("n")) || 0, tree.length);
  }

  function address() {
    const said = new URLSearchParams();
    if (base) said.set("cgp", base);
    if (list) said.set("list", list);
    if (tree.length) said.set("t", tree.map((s) => `${s.parent}.${s.step}`).join("_"));
    if (at) said.set("n", String(at));
    return location.pathname + (said.size ? "#" + said : "");
  }

  /** go shows the current step under its own address. @param {{ quiet?: boolean }} [how] */
  function go({ quiet = false } = {}) {
    history[quiet ? "replaceState" : "pushState"](null, "", address());
    show();
  }

  /** steps returns the steps that lead to a step. @param {number} n @returns {string[]} */
  function steps(n) {
    const all = [];
    for (let i = n; i > 0; i = tree[i - 1].parent) all.unshift(tree[i - 1].step);
    return all;
  }

  /** take adds a step after the current one. @param {string} step @returns {Promise<Reply>} */
  async function take(step) {
    try {
      await query({}, [...steps(at), step]); // throws if the step isn't valid
    } catch (e) {
      return refusal(e);
    }
    follow(step);
    return { text: [] };
  }

  /** follow goes to a step after the current one, adding it if it is new. @param {string} step */
  function follow(step) {
    const there = tree.findIndex((s) => s.parent === at && s.step === step);
    if (there < 0) tree.push({ parent: at, step });
    at = there < 0 ? tree.length : there + 1;
    go();
  }

  // ---- what the host says

  /** @param {object} what @param {string[]} [line] @returns {Promise<any>} */
  const query = (what, line = steps(at)) => ask("/analyse/ask", { list, cgp: base, steps: line, ...what }, { tries: 2 });

  /** @param {string} text @param {boolean} [bad] */
  function tell(text, bad = false) {
    $("page-said").textContent = text;
    $("page-said").classList.toggle("bad", bad);
    if (text) announce(text);
  }

  async function show() {
    const question = ++asked;
    looking = -1;
    drawTree();
    $("best").replaceChildren();
    let seen;
    try {
      seen = await query({});
    } catch (e) {
      if (question === asked) tell(plain(refusal(e)), true);
      return;
    }
    if (question !== asked) return;
    shown = seen;
    tell(seen.over ? say("The game is over here.") : seen.sight.own.rack.length ? "" : say("Type the rack of the side to move."));
    fields();
    drawBoard();
    drawPlays();
    if (!seen.count && !seen.sight.own.rack.length) return;
    judge(question);
  }

  /** judge requests the best moves, which takes a moment. @param {number} question */
  async function judge(question) {
    $("best").replaceChildren(el("p", { class: "quiet", role: "status" }, say("Looking for the best moves…")));
    try {
      const seen = await query({ judge: true });
      if (question !== asked || !shown) return;
      Object.assign(shown, { best: seen.best, ending: seen.ending, proven: seen.proven, value: seen.value });
      drawBest();
    } catch (e) {
      if (question === asked) $("best").replaceChildren(el("p", {}, plain(refusal(e))), el("button", { type: "button", class: "button small", onclick: () => judge(question) }, say("Try again")));
    }
  }

  // ---- drawing

  /** drawBoard shows the position, or a move in it. @param {Judged} [move] */
  function drawBoard(move) {
    if (!shown) return;
    const lies = withPlay(laying ?? shown.sight.board, move ?? {});
    // Alternate the table's id, so that tiles laid earlier don't carry over.
    const table = -1 - (showings++ % 2);
    kept.setLong("rack " + table, null);
    const own = laying || move || shown.over || !shown.sight.own?.rack.length ? undefined : { ...shown.sight.own, tries: true };
    board.show({ ...shown.sight, table, number: showings, board: lies, fresh: move?.squares ?? [], own, caption: move ? say("{play} for {points}", { play: move.text, points: move.points }) : shown.last ?? "", buttons: [] });
    if (laying) mark();
  }

  function drawBest() {
    const { best = [], ending = [], proven, value } = shown ?? {};
    $("best").replaceChildren(
      ...(best.length ? [el("h2", {}, say("The best moves")), ...choices(best, { at: looking, name: (i) => i + 1, look, below: (w, i) => [
        el("p", { class: "reason quiet" }, w.reason ?? ""),
        looking === i && el("div", { class: "after-buttons" }, el("button", { type: "button", class: "button small primary", onclick: () => follow(w.step ?? "pass") }, say("Go on from here")))] })] : []),
      ...(ending.length ? [el("h2", {}, proven ? say("The ending, solved") : say("The ending, as far as it was analysed")), el("p", {}, say("{n, plural, =0 {The side to move gains nothing by it} one {The side to move gains # point by it} other {The side to move gains # points by it}}: {moves}.", { n: value ?? 0, moves: ending.map((w) => w.text + " " + w.points).join(", ") }))] : []));
  }

  /** look shows one of the best moves on the board, or the position again. @param {number} i */
  function look(i) {
    looking = looking === i ? -1 : i;
    drawBoard(looking < 0 ? undefined : shown?.best?.[i]);
    drawBest();
    /** @type {HTMLElement | null} */ ($("best").querySelectorAll(".turn")[i])?.focus();
  }

  function drawPlays() {
    const { count = 0, plays = [] } = shown ?? {};
    find("summary", $("plays")).textContent = say("{n, plural, =0 {No legal play} one {# legal play} other {All # legal plays}}", { n: count });
    $("plays").hidden = !shown?.sight.own?.rack.length;
    find("ol", $("plays")).replaceChildren(...plays.map((w, i) => el("li", {}, moveRow({ onclick: () => follow(w.step ?? "pass") }, { number: i + 1, text: w.text, points: w.points }))));
  }

  /** drawTree lists the lines tried. */
  function drawTree() {
    /** @param {number} parent @returns {HTMLElement | false} */
    const below = (parent) => {
      const all = tree.flatMap((s, i) => (s.parent === parent ? [i + 1] : []));
      return all.length > 0 && el("ul", {}, ...all.map((n) => el("li", {}, el("button", { type: "button", class: "turn step", "aria-current": n === at ? "step" : null, onclick: () => {
        at = n;
        go();
      } }, tree[n - 1].step), below(n))));
    };
    const start = el("button", { type: "button", class: "turn step", "aria-current": at ? null : "step", onclick: () => {
      at = 0;
      go();
    } }, say("Where it began"));
    $("tree").hidden = !tree.length;
    $("tree").replaceChildren(el("h2", {}, say("Lines")), el("ul", {}, el("li", {}, start, below(0))),
      ...(at ? [el("button", { type: "button", class: "button small", onclick: prune }, say("Remove this line"))] : []));
  }

  /** prune removes the current step and all later ones. */
  function prune() {
    const gone = new Set([at]);
    tree.forEach((s, i) => gone.has(s.parent) && gone.add(i + 1));
    const parent = tree[at - 1].parent, left = tree.flatMap((_, i) => (gone.has(i + 1) ? [] : [i + 1]));
    tree = left.map((n) => ({ step: tree[n - 1].step, parent: left.indexOf(tree[n - 1].parent) + 1 }));
    at = left.indexOf(parent) + 1;
    go();
  }

  /** fields fills the fields beside the board. */
  function fields() {
    if (!shown) return;
    const [, racks = "/", scores = "0/0"] = shown.cgp.split(" ");
    const [rack, theirs = ""] = racks.split("/"), [score, other = "0"] = scores.split("/");
    for (const [id, value] of Object.entries({ rack, theirs, score, "their-score": other })) {
      const field = /** @type {HTMLInputElement} */ ($(id));
      if (field !== document.activeElement) field.value = value;
    }
    const lists = /** @type {HTMLSelectElement | null} */ (document.getElementById("list"));
    if (lists) lists.value = shown.list;
  }

  // ---- setting a position up

  /** begin makes the board and the fields the first position. */
  function begin() {
    if (!shown) return;
    const value = (/** @type {string} */ id) => /** @type {HTMLInputElement} */ ($(id)).value.trim().replace(/\s/g, "").toUpperCase();
    const [rows] = cgp({ board: laying ?? shown.sight.board, size: shown.sight.size, racks: [], scores: [] }).split(" ");
    base = `${rows} ${value("rack")}/${value("theirs")} ${Number(value("score")) || 0}/${Number(value("their-score")) || 0} 0`;
    [tree, at] = [[], 0];
    go({ quiet: Boolean(laying) });
  }

  $("rack").addEventListener("change", () => {
    const rack = /** @type {HTMLInputElement} */ ($("rack")).value.trim().replace(/\s/g, "").toUpperCase();
    if (!at) return begin();
    if (tree[at - 1].step.startsWith("rack ")) at = tree[at - 1].parent;
    take("rack " + rack).then((reply) => reply.refused && tell(plain(reply), true));
  });
  for (const id of ["theirs", "score", "their-score"]) $(id).addEventListener("change", begin);
  $("setup").addEventListener("submit", (e) => {
    e.preventDefault();
    /** @type {HTMLElement} */ (document.activeElement)?.blur();
  });
  document.getElementById("list")?.addEventListener("change", (e) => {
    list = /** @type {HTMLSelectElement} */ (e.target).value;
    go();
  });
  $("clear").addEventListener("click", () => {
    [base, tree, at] = ["", [], 0];
    if (laying && shown) laying = shown.sight.board.map(() => "");
    for (const id of ["rack", "theirs"]) /** @type {HTMLInputElement} */ ($(id)).value = "";
    go();
  });
  $("share").addEventListener("click", async () => tell(await give(location.href)));

  // Tiles are set up one after another from a square on, by keys or by pressing letters.
  $("lay").addEventListener("click", () => {
    laying = laying || !shown ? null : [...shown.sight.board];
    $("lay").setAttribute("aria-pressed", String(Boolean(laying)));
    $("lay").textContent = laying ? say("Done") : say("Lay tiles");
    $("palette").hidden = !laying;
    if (!laying) return show();
    if (shown) {
      $("palette").replaceChildren(...shown.sight.tiles.filter((t) => t.text !== "?").map((t) => el("button", { type: "button", class: "button small", onclick: () => put(t.text) }, t.text)),
        el("button", { type: "button", class: "button small", "aria-pressed": "false", id: "blank" }, say("Blank")),
        el("button", { type: "button", class: "button small", onclick: () => put("") }, say("Remove")));
      const blank = $("blank");
      blank.onclick = () => blank.setAttribute("aria-pressed", String(blank.getAttribute("aria-pressed") !== "true"));
      tell(say("Press a square, then letters. Press it again to write downwards; hold Shift for a blank."));
    }
    drawBoard();
  });

  /** @param {string} tile @param {boolean} [blank] */
  function put(tile, blank = document.getElementById("blank")?.getAttribute("aria-pressed") === "true") {
    if (!laying || !shown) return;
    laying[cursor.square] = tile && blank ? "?" + tile : tile;
    if (tile) move(1);
    begin();
    drawBoard();
  }

  /** move moves the cursor along its line. @param {number} by */
  function move(by) {
    const size = shown?.sight.size ?? 15, next = cursor.square + by * (cursor.down ? size : 1);
    const same = cursor.down || Math.floor(next / size) === Math.floor(cursor.square / size);
    if (same && next >= 0 && next < size * size) cursor.square = next;
  }

  function mark() {
    const cells = $("board").querySelectorAll("[data-square]");
    cells.forEach((c) => c.classList.remove("cursor", "across", "down"));
    cells[cursor.square]?.classList.add("cursor", cursor.down ? "down" : "across");
  }

  $("board").addEventListener("click", (e) => {
    const cell = /** @type {HTMLElement | null} */ (/** @type {HTMLElement} */ (e.target).closest("[data-square]"));
    if (!laying || !cell) return;
    const square = Number(cell.dataset.square);
    cursor = { square, down: cursor.used && square === cursor.square ? !cursor.down : cursor.down, used: true };
    mark();
  }, true);
  $("board").addEventListener("keydown", (e) => {
    if (!laying || !shown || e.ctrlKey || e.metaKey || e.altKey) return;
    const { size, tiles } = shown.sight, by = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: size, ArrowUp: -size }[e.key];
    if (by) {
      cursor = { square: Math.min(Math.max(0, cursor.square + by), size * size - 1), down: Math.abs(by) > 1, used: true };
    } else if (e.key === "Backspace" || e.key === "Delete") {
      if (e.key === "Backspace" && !laying[cursor.square]) move(-1);
      put("", false);
    } else {
      const tile = tiles.find((t) => t.text === e.key.toUpperCase());
      if (!tile || e.key.length > 1) return;
      put(tile.text, e.shiftKey);
    }
    e.preventDefault();
    e.stopPropagation();
    mark();
    /** @type {HTMLElement | null} */ ($("board").querySelectorAll("[data-square]")[cursor.square])?.focus({ preventScroll: true });
  }, true);

  // ---- opening what is written

  $("file").addEventListener("change", async (e) => {
    const file = /** @type {HTMLInputElement} */ (e.target).files?.[0];
    if (file) open(await file.text());
  });
  $("read").addEventListener("click", () => open(/** @type {HTMLTextAreaElement} */ ($("written")).value));

  /** open shows a position, or the moves of a game and its first position. @param {string} written */
  async function open(written) {
    const one = written.trim();
    if (!one) return;
    $("moves").replaceChildren();
    if (!/^[#>{]/.test(one)) {
      [base, tree, at] = [one.replace(/^cgp\s+/i, ""), [], 0];
      return go();
    }
    try {
      const { positions } = await ask("/analyse/game", { list, written: one }, { tries: 2 });
      $("moves").replaceChildren(...positions.map((/** @type {{ cgp: string, player: string, move: string, score: number }} */ p, /** @type {number} */ i) => el("li", {}, moveRow({ onclick: (/** @type {MouseEvent} */ e) => {
        $("moves").querySelectorAll("[aria-current]").forEach((n) => n.removeAttribute("aria-current"));
        /** @type {HTMLElement} */ (e.currentTarget).setAttribute("aria-current", "step");
        [base, tree, at] = [p.cgp, [], 0];
        go();
      } }, { number: i + 1, by: p.player, text: p.move || say("passes"), points: p.score }))));
      $("moves").querySelector("button")?.click();
    } catch (e) {
      tell(plain(refusal(e)), true);
    }
  }

  addEventListener("popstate", () => {
    read();
    show();
  });
  read();
  show();
}
