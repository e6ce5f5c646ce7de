// @ts-check
// The board that one plays on: it draws the state of play.js, and turns taps,
// drags and keys into its transitions. It asks and tells the host by way of what
// mount is given.

import * as p from "./play.js";
import { el, icon, timeOf, timeLeft, isolate } from "./dom.js";
import { kept } from "./kept.js";
import { say } from "./say.js";

const slop = 8; // pixels that a finger may move and still tap
const labels = { d: "2L", t: "3L", D: "2W", T: "3W", "*": "★", "+": "★" };

/**
 * mount makes a board in an element. host has:
 *
 *	act(request)    gives a command; its answer
 *	draft(request)  asks what a play would score
 *	press(id)       presses a button
 *	say(text)       tells screen readers
 *	settings()      has ask: whether to ask before playing
 *	sound()         sounds like a tile
 *
 * It returns show(view), which draws a table as it stands.
 */
export function mount(root, host) {
  /** @type {import("./play.js").State} */
  let s;
  let view = null, at = 0; // the view, and when it came
  let back = -1; // how many moves are shown of a game that one looks back at; -1: now
  let cells = [];
  let draft = { key: "", said: null };
  let sure = ""; // the command that was pressed once, and is to be pressed again
  let sending = false;
  let refusal = "";
  let settling; // until Play works again
  let focusCell = false;
  let spot = -1; // the square that was used last

  const grid = el("div", { class: "board", role: "grid", "aria-label": say("The board") });
  const players = el("ul", { class: "players" });
  const caption = el("p", { class: "caption" });
  const tally = el("p", { class: "tally", role: "status" });
  const rack = el("div", { class: "rack", role: "group", "aria-label": say("Your rack") });
  const notes = el("ul", { class: "notes", "aria-label": say("Your notes") });
  const chooser = el("div", { class: "chooser", role: "dialog", "aria-label": say("Which letter is the blank to be?"), hidden: true });
  const controls = el("div", { class: "controls" });
  const beside = el("div", { class: "beside" });
  const moves = el("ol", { class: "moves" });
  const scrub = el("div", { class: "scrub", role: "group", "aria-label": say("Look back") });
  const story = el("details", { class: "story", ontoggle: () => view && drawStory() }, el("summary", {}, say("Moves")), moves);
  root.replaceChildren(players, el("div", { class: "field" }, grid, chooser), scrub, caption, tally, rack, notes, controls, beside, story);

  // ---- changing the state

  /** set takes the next state, draws it, and asks what it would score. */
  function set(next, { focus = false, quiet = false } = {}) {
    if (next === s) return;
    const laid = s && next.laid.length > s.laid.length;
    if (next.note && next.note !== s?.note && !quiet) host.say(next.note);
    s = next;
    sure = refusal = "";
    focusCell = focus;
    if (laid) host.sound();
    kept.setLong("rack " + view.table, p.keep(s));
    ask();
    draw();
  }

  async function ask() {
    const key = p.draftKey(s);
    if (key === draft.key) return;
    draft = { key, said: null };
    if (!key) return;
    const w = p.word(s);
    let said;
    try {
      said = await host.draft({ word: w.word, at: w.at });
    } catch {
      return; // the next change asks again
    }
    if (draft.key !== key) return;
    draft.said = said;
    drawTally();
    drawControls();
  }

  async function send(request) {
    if (sending) return;
    sending = true;
    sure = refusal = "";
    drawControls();
    try {
      const reply = await host.act({ ...request, table: view.table, number: view.number });
      refusal = reply?.refused ? reply.text.map((t) => t.text).join("") : "";
      if (refusal) host.say(refusal);
      else set(request.command === "submit" ? p.recall(s) : { ...s, mode: "lay", picked: [], note: "" }); // what was submitted lies there by itself
    } catch (e) {
      refusal = e.message;
    } finally {
      sending = false;
      draw();
    }
  }

  function play() {
    const what = p.send(s, performance.now());
    if ("problem" in what) {
      if (what.problem) refuse(what.problem);
      return;
    }
    const asked = JSON.stringify(what);
    if (host.settings().ask && sure !== asked) {
      sure = asked;
      return drawControls();
    }
    send(what);
  }

  function refuse(text) {
    refusal = text;
    host.say(text);
    drawTally();
  }

  // ---- taps, drags, keys

  let drag = null; // {id, x, y, pointer, ghost, over}
  let dragged = false; // the click that follows is no tap

  root.addEventListener("pointerdown", (e) => {
    dragged = false;
    const tile = e.target.closest("[data-tile]");
    if (!tile || e.button > 0 || back >= 0 || s.mode === "exchange") return;
    drag = { id: Number(tile.dataset.tile), x: e.clientX, y: e.clientY, pointer: e.pointerId, from: tile, ghost: null, touch: e.pointerType !== "mouse" };
  });
  addEventListener("pointermove", (e) => {
    if (e.pointerId !== drag?.pointer) return;
    if (!drag.ghost) {
      if (Math.hypot(e.clientX - drag.x, e.clientY - drag.y) < slop) return;
      lift();
    }
    e.preventDefault();
    const box = drag.ghost.getBoundingClientRect();
    drag.ghost.style.setProperty("translate", `${e.clientX - box.width / 2}px ${e.clientY - box.height * (drag.touch ? 1.35 : 0.5)}px`);
    const to = target(e.clientX, e.clientY - (drag.touch ? box.height * 0.6 : 0));
    drag.over?.classList.remove("over");
    drag.over = to?.node;
    drag.over?.classList.add("over");
    drag.to = to;
  }, { passive: false });
  // A finger that lifts in motion must not be taken to scroll on: the next tap would only stop that.
  root.addEventListener("touchmove", (e) => drag && e.preventDefault(), { passive: false });
  addEventListener("pointerup", (e) => {
    if (e.pointerId !== drag?.pointer) return;
    const { ghost, id, to } = drag;
    ended();
    if (!ghost) return;
    dragged = true;
    setTimeout(() => (dragged = false), 50);
    set(p.drop(s, id, to?.to ?? null));
  });
  addEventListener("pointercancel", (e) => e.pointerId === drag?.pointer && ended());

  function lift() {
    const size = cells[0].getBoundingClientRect().width * (drag.touch ? 1.5 : 1.15);
    drag.ghost = el("div", { class: "ghost", "aria-hidden": "true" }, face(text(drag.id), false));
    for (const side of ["width", "height", "font-size"]) drag.ghost.style.setProperty(side, size + "px");
    document.body.append(drag.ghost);
    drag.from.classList.add("lifted");
  }

  function ended() {
    drag?.ghost?.remove();
    drag?.from.classList.remove("lifted");
    drag?.over?.classList.remove("over");
    drag = null;
  }

  /** target is what a tile would be dropped on. */
  function target(x, y) {
    for (const node of document.elementsFromPoint(x, y)) {
      const cell = node.closest?.("[data-square]");
      if (cell && grid.contains(cell)) {
        const square = Number(cell.dataset.square);
        return view.board[square] ? null : { node: cell, to: { square } };
      }
      if (node === rack || rack.contains(node)) {
        const slots = [...rack.children], rtl = getComputedStyle(rack).direction === "rtl";
        const place = slots.findIndex((n) => {
          const box = n.getBoundingClientRect(), middle = box.x + box.width / 2;
          return y < box.bottom && (rtl ? x > middle : x < middle);
        });
        return { node: rack, to: { place: place < 0 ? slots.length : place } };
      }
    }
    return null;
  }

  const text = (id) => {
    const laid = s.laid.find((l) => l.id === id);
    return laid ? p.at(s, laid.square) : s.rack.find((t) => t.id === id)?.text ?? "";
  };

  grid.addEventListener("click", (e) => {
    const cell = e.target.closest("[data-square]");
    if (!cell || dragged || back >= 0) return;
    spot = Number(cell.dataset.square);
    set(p.tapSquare(s, spot), { focus: true });
  });
  rack.addEventListener("click", (e) => {
    const tile = e.target.closest("[data-tile]");
    if (!tile || dragged || back >= 0) return;
    set(p.tapTile(s, Number(tile.dataset.tile)));
  });

  root.addEventListener("keydown", (e) => {
    if (!view || e.isComposing || e.ctrlKey || e.metaKey || e.altKey) return;
    if (back >= 0 || scrub.contains(e.target)) {
      const to = { ArrowLeft: back < 0 ? view.turns.length - 1 : back - 1, ArrowRight: back < 0 ? -1 : back + 1, Home: 0, End: -1, Escape: -1 }[e.key];
      if (to === undefined) return;
      e.preventDefault();
      return look(to);
    }
    const onCell = e.target.closest?.("[data-square]"), onTile = e.target.closest?.("[data-tile]");
    if (e.key === "Escape") {
      if (!s.laid.length && !s.asking && !s.held && s.mode === "lay" && !s.cursor) return;
      e.preventDefault();
      e.stopPropagation();
      return set(p.recall(s), { focus: Boolean(onCell) });
    }
    if (onTile && (e.key === "ArrowLeft" || e.key === "ArrowRight")) {
      const all = [...rack.querySelectorAll("button")], i = all.indexOf(onTile);
      all[(i + (e.key === "ArrowRight" ? 1 : -1) + all.length) % all.length]?.focus();
      return e.preventDefault();
    }
    if (s.asking) {
      if (e.key === "Backspace") set(p.back(s), { focus: true });
      else if ([...e.key].length === 1 && e.key !== " ") {
        e.preventDefault();
        set(p.type(s, e.key), { focus: true });
      }
      return;
    }
    if (!onCell && !onTile) return;
    const steps = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1], Home: [0, -view.size], End: [0, view.size] }[e.key];
    const here = onCell ? Number(onCell.dataset.square) : s.cursor?.square ?? -1;
    if (steps && onCell) {
      e.preventDefault();
      const turn = rtl() ? -1 : 1;
      let next = p.look(s, here);
      for (let n = Math.max(1, Math.abs(steps[1]) >= view.size ? view.size : 1); n > 0; n--) next = p.go(next, steps[0], Math.sign(steps[1]) * (e.key.startsWith("Arrow") ? turn : 1));
      return set(next, { focus: true });
    }
    if (e.key === "Enter" && onCell) {
      e.preventDefault();
      if (s.held || (!s.laid.length && !s.picked.length)) return set(p.tapSquare(s, here), { focus: true });
      return play();
    }
    if (e.key === " " && onCell) {
      e.preventDefault();
      return set(view.own?.lays === "remove" || view.own?.covers ? p.tapSquare(s, here) : p.space(p.look(s, here)), { focus: true });
    }
    if (e.key === "Backspace") {
      e.preventDefault();
      return set(p.back(s), { focus: true });
    }
    if ([...e.key].length === 1 && e.key !== " " && here >= 0) {
      const next = p.type(p.look(s, here), e.key, e.shiftKey && e.key.toLowerCase() !== e.key.toUpperCase());
      e.preventDefault();
      set(next, { focus: true });
    }
  });

  // ---- drawing

  const rtl = () => view.tiles.some((l) => /[\p{Script=Hebrew}\p{Script=Arabic}]/u.test(l.text));

  /** face is a tile as one sees it. */
  function face(tile, fresh) {
    const one = p.letter(tile), n = p.value(view, tile), blank = tile.startsWith("?");
    return el("span", { class: "face" + (blank ? " blank" : "") + (fresh ? " fresh" : "") + ([...one].length > 1 ? " wide" : ""), "aria-hidden": "true" },
      tile === "?" ? "" : one, !blank && n > 0 && el("i", { "data-t": String(n) }));
  }

  function build() {
    cells = [];
    const { size } = view;
    const rows = [el("div", { role: "row", class: "row heads" }, el("span", { role: "columnheader" }, el("span", { class: "unseen" }, say("Row"))), ...Array.from({ length: size }, (_, c) => el("span", { role: "columnheader", class: "head" }, String.fromCharCode(65 + c))))];
    for (let r = 0; r < size; r++) {
      const row = el("div", { role: "row", class: "row" }, el("span", { role: "rowheader", class: "head" }, String(r + 1)));
      for (let c = 0; c < size; c++) {
        const square = r * size + c, kind = view.squares[square];
        const cell = el("div", { role: "gridcell", class: "cell", "data-square": String(square), "data-kind": labels[kind] && kind, "data-t": labels[kind], tabindex: "-1" });
        cells.push(cell);
        row.append(cell);
      }
      rows.push(row);
    }
    grid.replaceChildren(...rows);
    grid.style.setProperty("--size", String(size));
    grid.setAttribute("dir", rtl() ? "rtl" : "ltr");
    rack.setAttribute("dir", rtl() ? "rtl" : "ltr");
  }

  function draw() {
    if (!view) return;
    if (cells.length !== view.size * view.size) build();
    const past = back >= 0;
    const lies = past ? p.after(view, back) : view.board;
    const fresh = new Set(past ? (view.turns[back - 1]?.changes ?? []).map((c) => c.square) : view.fresh ?? []);
    const gone = new Set(past ? [] : view.gone ?? []);
    const sent = past ? null : view.own?.submitted;
    const tab = s.cursor?.square ?? (spot >= 0 && spot < cells.length ? spot : Math.max(0, view.squares.search(/[*+]/)));
    for (const [square, cell] of cells.entries()) {
      const laid = past ? undefined : s.laid.find((l) => l.square === square);
      const submitted = !laid && sent && sent.squares?.includes(square) ? sent.letters[sent.squares.indexOf(square)] : "";
      const tile = laid ? p.at(s, square) : lies[square] || submitted;
      const here = !past && s.cursor?.square === square;
      const chosen = view.own?.lays === "remove" && s.picked.includes(square);
      const sign = [tile, laid?.id, fresh.has(square), here && s.cursor?.arrow, here, chosen, gone.has(square), submitted, s.held === laid?.id && s.held, view.printed?.[square], square === tab].join("|");
      if (cell.dataset.sign === sign) continue;
      const arrives = cell.dataset.sign !== undefined && !past && fresh.has(square) && !cell.querySelector(".face");
      cell.dataset.sign = sign;
      cell.className = "cell" + (laid ? " laid" : "") + (here ? " cursor" + (s.cursor?.arrow ? " " + s.cursor.arrow : "") : "") + (chosen ? " chosen" : "") + (gone.has(square) ? " gone" : "") + (submitted ? " submitted" : "") + (laid && s.held === laid.id ? " held" : "");
      if (laid) cell.dataset.tile = String(laid.id);
      else delete cell.dataset.tile;
      cell.replaceChildren(tile ? face(tile, fresh.has(square)) : view.printed?.[square] ? el("span", { class: "print", "aria-hidden": "true" }, view.printed[square]) : "");
      if (arrives) cell.firstElementChild?.classList.add("arrives");
      cell.setAttribute("aria-label", past ? p.describe({ ...s, laid: [], view: { ...view, board: lies } }, square) : p.describe(s, square));
      cell.setAttribute("tabindex", square === tab ? "0" : "-1");
      cell.setAttribute("aria-selected", String(here || chosen));
    }
    if (focusCell) cells[tab].focus({ preventScroll: true });
    focusCell = false;
    root.classList.toggle("past", past);
    drawRack();
    drawChooser();
    drawTally();
    drawControls();
    drawStory();
  }

  function drawRack() {
    const lines = view.own?.notes ?? [];
    notes.hidden = !lines.length;
    notes.replaceChildren(...lines.map((line) => el("li", {}, el("bdi", {}, line))));
    rack.hidden = !view.own || view.own.lays === "remove";
    if (rack.hidden) return;
    const focused = rack.contains(document.activeElement) ? Number(document.activeElement.dataset.tile) : 0;
    const sign = JSON.stringify([s.rack, s.laid, s.held, s.mode, s.picked]);
    if (rack.dataset.sign === sign) return;
    rack.dataset.sign = sign;
    rack.replaceChildren(...s.rack.map((t) => {
      if (s.laid.some((l) => l.id === t.id)) return el("span", { class: "slot" });
      const n = p.value(view, t.text), on = s.held === t.id || (s.mode === "exchange" && s.picked.includes(t.id));
      return el("button", { type: "button", class: "slot" + (on ? " on" : ""), "data-tile": String(t.id), "aria-pressed": String(on), "aria-label": t.text === "?" ? say("Blank") : `${t.text}, ${p.points(n)}` }, face(t.text, false));
    }));
    if (focused) rack.querySelector(`[data-tile="${focused}"]`)?.focus();
  }

  function drawChooser() {
    const was = chooser.hidden;
    chooser.hidden = !s.asking;
    if (!s.asking || !was) return;
    chooser.replaceChildren(el("p", {}, say("The blank is to be")), el("div", { class: "letters" }, ...p.letters(view).map((l) => el("button", { type: "button", onclick: () => set(p.choose(s, l), { focus: true }) }, l))),
      el("button", { type: "button", class: "button small", onclick: () => set(p.back(s), { focus: true }) }, say("Cancel")));
    chooser.querySelector("button")?.focus({ preventScroll: true });
  }

  function drawTally() {
    tally.className = "tally" + (refusal ? " bad" : "");
    const said = draft.said, w = p.word(s);
    if (refusal) return tally.replaceChildren(...isolate(refusal));
    if (s.note) return tally.replaceChildren(...isolate(s.note));
    if (back >= 0 || !view.own) return tally.replaceChildren();
    if (s.mode === "exchange") return tally.replaceChildren(s.picked.length ? say("{n, plural, one {Put back one tile; that takes your turn.} other {Put back # tiles; that takes your turn.}}", { n: s.picked.length }) : say("Choose the tiles to put back."));
    if (view.own.lays === "remove" && s.picked.length) return tally.replaceChildren(say("{n, plural, one {One tile for {points}.} other {# tiles for {points}.}}", { n: s.picked.length, points: p.worth(s) }));
    if (!s.laid.length && view.own.submitted) return tally.replaceChildren(view.own.submitted.squares?.length ? say("What you submitted is on the board; lay another word to replace it.") : say("You have passed this turn; lay a word to replace that."));
    if ("problem" in w) return tally.replaceChildren(w.problem);
    if (!said) return draft.key ? undefined : tally.replaceChildren();
    if (said.problem) {
      tally.classList.add("bad");
      return tally.replaceChildren(...isolate(said.problem));
    }
    const sums = said.words.flatMap((word, i) => [i > 0 && " + ", el("span", { class: "word" + (word.invalid ? " invalid" : "") }, el("b", {}, ...isolate(word.text)), ` ${word.score}`, word.invalid && el("span", {}, " " + say("isn't valid")))]);
    const sum = said.words.reduce((n, word) => n + word.score, 0);
    if (said.score > sum) sums.push(" + " + say("{n} for all your tiles", { n: said.score - sum }));
    if (said.words.length > 1 || said.score > sum) sums.push(" = ", el("b", {}, String(said.score)));
    tally.replaceChildren(...sums.filter((x) => x !== false));
  }

  const button = (label, onclick, { as = label, style = "", quiet = false } = {}) => Object.assign(el("button", { type: "button", class: `button small ${style}`, "data-as": as, "aria-disabled": quiet ? "true" : null }, label), { onclick });

  /** fill shows what can be pressed. What was there stays the same node, so that a press isn't lost to an answer that comes meanwhile. */
  function fill(box, list) {
    const was = [...box.children], focused = was.indexOf(document.activeElement);
    box.hidden = !list.length;
    if (was.length !== list.length || list.some((node, i) => node.dataset.as !== was[i].dataset.as)) {
      box.replaceChildren(...list);
      box.children[focused]?.focus();
    } else for (const [i, { onclick, className, ariaDisabled, textContent }] of list.entries()) if (onclick) Object.assign(was[i], { onclick, className, ariaDisabled }, textContent !== was[i].textContent && { textContent });
  }

  function drawControls() {
    const { own } = view;
    const list = [];
    if (own && back < 0) {
      const what = p.send(s, performance.now()), ready = !("problem" in what);
      clearTimeout(settling);
      const rest = s.arrived + p.settle - performance.now();
      if (rest > 0) settling = setTimeout(drawControls, rest + 5);
      if (s.mode === "exchange") {
        list.push(button(s.picked.length ? say("Exchange {n}", { n: s.picked.length }) : say("Exchange"), play, { as: "exchange", style: "primary", quiet: !ready || sending }), button(say("Cancel"), () => set(p.recall(s))));
      } else {
        const points = draft.said && !draft.said.problem && draft.key ? draft.said.score : own.lays === "remove" && s.picked.length ? p.worth(s) : null;
        const verb = { submit: say("Submit"), remove: say("Take"), cover: say("Cover") }[own.lays] ?? say("Play");
        list.push(button([sure ? say("Really:") : "", verb, points].filter((x) => x !== "" && x !== null).join(" "), play, { as: "play", style: "primary play", quiet: !ready || !own.turn || sending }));
        if (own.draws && own.turn && s.laid.length) list.push(vowels());
        if (s.laid.length || s.held || s.asking || s.picked.length) list.push(button(say("Recall"), () => set(p.recall(s))));
        else if (own.lays !== "remove") list.push(button(say("Shuffle"), () => set(p.shuffle(s, Math.random))), button(say("Sort"), () => set(p.sort(s))));
        if (own.exchange > 0 && !s.laid.length) list.push(button(say("Exchange"), () => set(p.startExchange(s))));
        if (own.pass && !s.laid.length && !s.picked.length) list.push(button(sure === "pass" ? say("Really pass?") : say("Pass"), () => {
          if (sure !== "pass") {
            sure = "pass";
            return drawControls();
          }
          send({ command: "pass", args: {} });
        }, { as: "pass" }));
      }
    }
    fill(controls, list);
    fill(beside, (view.buttons ?? []).map((b) => button(b.label, () => host.press(b.id), { style: b.style === 1 ? "primary" : b.style === 2 ? "danger" : "" })));
  }

  /** vowels asks how many of the new tiles are to be vowels. */
  function vowels() {
    const most = s.laid.length;
    const box = el("select", { "data-as": "draw " + most, "aria-label": say("How many vowels to draw"), onchange: () => set({ ...s, draw: Number(box.value) }) },
      el("option", { value: "-1" }, say("Draw as usual")), ...Array.from({ length: most + 1 }, (_, n) => el("option", { value: String(n), selected: n === s.draw }, say("{n, plural, one {Draw # vowel} other {Draw # vowels}}", { n }))));
    return box;
  }

  function look(n) {
    back = n >= view.turns.length || n < 0 ? -1 : n;
    draw();
    if (back >= 0) host.say(told(back));
  }

  const told = (n) => (n === 0 ? say("Before the first move") : line(view.turns[n - 1]));
  const signed = (n) => (n > 0 ? "+" : "−") + Math.abs(n);
  const line = (t) => [t.player, t.text, t.score && signed(t.score)].filter(Boolean).join(" ");

  function drawStory() {
    story.hidden = !view.turns.length;
    scrub.hidden = story.hidden || !(back >= 0 || story.open || view.phase === "over");
    if (story.hidden) return;
    const all = view.turns.length, n = back < 0 ? all : back;
    const focused = [...scrub.children].indexOf(document.activeElement);
    const step = (name, glyph, to, off) => el("button", { type: "button", class: "icon-button", "aria-label": name, title: name, "aria-disabled": off ? "true" : null, onclick: () => off || look(to) }, glyph);
    scrub.replaceChildren(
      step(say("First"), "«", 0, n === 0), step(say("Back"), "‹", n - 1, n === 0), el("span", { class: "where" }, back < 0 ? say("Now") : say("{n} of {all}", { n, all })), step(say("Forward"), "›", n + 1, back < 0), step(say("Last"), "»", -1, back < 0));
    scrub.children[focused]?.focus();
    const sign = `${view.table} ${all} ${back}`;
    if (moves.dataset.sign === sign) return;
    moves.dataset.sign = sign;
    moves.replaceChildren(...view.turns.map((t, i) => el("li", {}, el("button", { type: "button", class: "turn", "aria-current": back === i + 1 ? "step" : null, onclick: () => look(i + 1) },
      el("span", { class: "number" }, t.number ? String(t.number) : ""), el("bdi", { class: "by" }, t.player ?? ""), el("span", { class: "what" }, ...isolate(t.text)), el("span", { class: "points" }, t.score ? signed(t.score) : ""), el("span", { class: "total" }, t.total ? String(t.total) : "")))));
    moves.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest" });
  }

  function drawPlayers() {
    const now = Date.now();
    players.replaceChildren(...view.players.map((one, i) => el("li", { class: one.toMove ? "to-move" : "" },
      el("span", { class: "name" }, one.toMove && el("span", { class: "turn-mark", "aria-hidden": "true" }, rtl() ? "◂" : "▸"), el("bdi", {}, one.name), i === view.own?.seat && view.players.length > 1 && el("span", { class: "quiet" }, " " + say("you"))),
      el("b", { class: "score" }, String(one.score)),
      el("span", { class: "note" }, one.clock ? timeOf(one.clock.left - (one.clock.runs ? now - at : 0)) : one.note ?? (one.toMove ? say("to move") : "")))));
    const until = view.until && view.phase !== "over" ? timeLeft(view.until - now) : "";
    caption.replaceChildren(...[view.caption, view.phase !== "over" && view.supply, until].filter(Boolean).flatMap((x, i) => [i && " · ", ...isolate(x)]).filter(Boolean));
  }

  setInterval(() => {
    if (view && !root.hidden && (view.until || view.players.some((one) => one.clock?.runs))) drawPlayers();
  }, 1000);

  addEventListener("storage", (e) => {
    if (!view || e.key !== "rackmate rack " + view.table || drag) return;
    const theirs = p.restore(view, kept.getLong("rack " + view.table, null));
    s = { ...theirs, cursor: s.cursor, arrived: s.arrived };
    ask();
    draw();
  });

  return {
    /** show draws a table as it stands. */
    show(next) {
      const same = view?.table === next.table;
      if (same && next.number < view.number) return;
      view = next;
      at = Date.now();
      if (!same) {
        back = -1;
        cells = [];
        draft = { key: "", said: null };
        s = p.restore(view, kept.getLong("rack " + view.table, null));
      } else {
        const before = s;
        s = p.update(s, view, performance.now());
        if (s.note && s.note !== before.note) host.say(s.note);
        if (s.view.number !== before.view.number) sure = refusal = "";
      }
      ask();
      drawPlayers();
      draw();
    },
    /** reveal scrolls the rows around the play into view. */
    reveal() {
      const square = s?.laid[0]?.square ?? s?.cursor?.square ?? view?.fresh?.[0] ?? -1;
      cells[square]?.scrollIntoView({ block: "center", inline: "nearest" });
    },
  };
}
