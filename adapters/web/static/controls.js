// The buttons at the board, and the score that the draft would get.

import * as p from "./play.js";
import { el, icon, isolate } from "./dom.js";
import { say } from "./say.js";

/** refuses returns the reason for which the host would refuse the draft, or "" if none is known. @param {Now["draft"]} draft */
export function refuses({ key, said }) {
  if (!key || !said) return "";
  const wrong = (said.words ?? []).filter((w) => w.invalid).map((w) => w.text);
  return said.problem || (wrong.length ? say("{n, plural, one {{words} is not in the word list.} other {{words} are not in the word list.}}", { n: wrong.length, words: wrong.join(", ") }) : "");
}

/** tallied returns the draft's score, or another message about it. @param {Now} now @returns {{ bad?: boolean, parts: (string | Node)[] } | null} null: nothing new is known yet */
function tallied({ view, s, back, draft, refusal }) {
  const said = draft.said, w = p.word(s), { own } = view;
  if (refusal) return { bad: true, parts: isolate(refusal) };
  if (s.note) return { parts: isolate(s.note) };
  if (back >= 0 || !own) return { parts: [] };
  if (s.mode === "exchange") return { parts: [s.picked.length ? say("{n, plural, one {Put back one tile. That uses up your turn.} other {Put back # tiles. That uses up your turn.}}", { n: s.picked.length }) : say("Choose the tiles to put back.")] };
  if (own.lays === "remove" && s.picked.length && said?.problem) return { parts: isolate(said.problem) };
  if (own.lays === "remove" && s.picked.length) return { parts: [say("{n, plural, one {One tile for {points}.} other {# tiles for {points}.}}", { n: s.picked.length, points: p.worth(s) })] };
  if (!s.laid.length && own.submitted) return { parts: [own.submitted.squares?.length ? say("Your play is on the board; lay another word to replace it.") : say("You've passed this turn; lay a word to replace that.")] };
  if ("problem" in w || p.begun(s)) return { parts: ["problem" in w ? w.problem : p.begun(s)] };
  if (!said) return draft.key ? null : { parts: [] };
  if (said.problem) return { parts: isolate(said.problem) }; // not marked as bad, since the player is still laying
  const words = said.words ?? [], sum = words.reduce((n, word) => n + word.score, 0);
  const parts = words.flatMap((word, i) => [i > 0 ? " + " : "", el("span", { class: "word" + (word.invalid ? " invalid" : "") }, el("b", {}, ...isolate(word.text)), ` ${word.score}`, word.invalid && el("span", {}, " " + say("isn't valid")))]);
  if (said.score > sum) parts.push(" + " + say("{n} for all your tiles", { n: said.score - sum }));
  if (words.length > 1 || said.score > sum) parts.push(" = ", el("b", {}, String(said.score)));
  return { parts };
}

/** button returns a button of the board; as identifies it while its label changes. @param {string} label @param {() => void} onclick @param {{ as?: string, style?: string, quiet?: boolean }} [how] */
const button = (label, onclick, { as = label, style = "", quiet = false } = {}) => Object.assign(el("button", { type: "button", class: `button small ${style}`, "data-as": as, "aria-disabled": quiet ? "true" : null }, label), { onclick });

/** sign returns a button with an icon instead of a label. @param {string} label @param {Parameters<typeof icon>[0]} name @param {() => void} onclick @param {boolean} [open] */
const sign = (label, name, onclick, open) => Object.assign(el("button", { type: "button", class: "icon-button", "data-as": label, title: label, "aria-label": label, "aria-expanded": open === undefined ? null : String(open) }, icon(name)), { onclick });

/**
 * fill shows buttons. An existing button keeps its element, so that a press isn't lost if an answer
 * arrives meanwhile.
 * @param {HTMLElement} box @param {HTMLElement[]} list
 */
function fill(box, list) {
  const was = /** @type {HTMLElement[]} */ ([...box.children]), focused = was.findIndex((node) => node === document.activeElement);
  box.hidden = !list.length;
  if (was.length !== list.length || list.some((node, i) => node.dataset.as !== was[i].dataset.as)) {
    const same = list.find((node) => node.dataset.as === was[focused]?.dataset.as);
    box.replaceChildren(...list);
    (same ?? (box.matches(".controls") ? list[focused] : undefined))?.focus(); // elsewhere another button may be in its place
    return;
  }
  for (const [i, node] of list.entries()) {
    if (!node.onclick) continue;
    Object.assign(was[i], { onclick: node.onclick, className: node.className });
    if (node.textContent !== was[i].textContent) was[i].textContent = node.textContent;
    const expanded = node.getAttribute("aria-expanded");
    if (expanded) was[i].setAttribute("aria-expanded", expanded);
    if (node.hasAttribute("aria-disabled")) was[i].setAttribute("aria-disabled", "true");
    else was[i].removeAttribute("aria-disabled");
  }
}

// Buttons of the host that only show something are rarely pressed.
const command = (/** @type {SightButton} */ b) => b.id.split(":")[3] ?? "";
const quiet = (/** @type {SightButton} */ b) => !b.style && ["unseen", "board", "history", "rack", "hint"].includes(command(b));

/**
 * controls creates the buttons. Of does, choose() focuses the rack; onward() returns the buttons after
 * the end, which replace equal ones of the host; next() returns a function that opens another game that
 * waits for the player, or undefined.
 * @param {{ set(next: State): void, play(): void, give(command: string): unknown, press(id: string): unknown, choose(): void, onward(view: Sight): HTMLElement[], next(): (() => void) | undefined }} does
 */
export function controls(does) {
  const tally = el("p", { class: "tally" });
  const spoken = el("p", { class: "unseen", role: "status" }); // the tally for screen readers, once laying pauses
  let pausing = 0;
  const acts = el("div", { class: "controls" });
  const beside = el("div", { class: "beside" });
  const extras = el("div", { class: "extras", role: "group", "aria-label": say("More"), hidden: true });
  /** @type {Now} */
  let shown;

  /** open shows or hides the rarely used buttons. @param {boolean} is */
  function open(is) {
    if (!is && extras.contains(document.activeElement)) acts.querySelector("button")?.focus({ preventScroll: true });
    extras.hidden = !is;
    draw(shown);
    if (is) extras.querySelector("button")?.focus({ preventScroll: true });
  }
  addEventListener("pointerdown", (e) => !extras.hidden && !extras.contains(/** @type {Node} */ (e.target)) && !acts.contains(/** @type {Node} */ (e.target)) && open(false));
  extras.addEventListener("keydown", (e) => {
    if (e.key !== "Escape") return;
    e.stopPropagation();
    open(false);
    acts.querySelector("button")?.focus();
  });
  let settling = 0; // timer until Play works again

  /** vowels returns the menu for the number of vowels to draw. @param {State} s */
  function vowels(s) {
    const most = s.laid.length;
    /** @type {HTMLSelectElement} */
    const box = el("select", { "data-as": "draw " + most, "aria-label": say("How many vowels to draw"), onchange: () => does.set({ ...s, draw: Number(box.value) }) },
      el("option", { value: "-1" }, say("Draw as usual")), ...Array.from({ length: most + 1 }, (_, n) => el("option", { value: String(n), selected: n === s.draw }, say("{n, plural, one {Draw # vowel} other {Draw # vowels}}", { n }))));
    return box;
  }

  /** @param {Now} now @returns {HTMLElement[]} */
  function list({ view: { own }, s, back, draft, sure, sending }) {
    if (!own || back >= 0) return [];
    const ready = !("problem" in p.send(s, performance.now()));
    if (s.mode === "exchange") return [
      button(s.picked.length ? say("Exchange {n}", { n: s.picked.length }) : say("Exchange"), does.play, { as: "exchange", style: "primary", quiet: !ready || sending }), button(say("Cancel"), () => does.set(p.recall(s)))];
    const points = draft.said && !draft.said.problem && draft.key ? draft.said.score : own.lays === "remove" && s.picked.length ? p.worth(s) : "";
    const verb = { submit: say("Submit"), remove: say("Take"), cover: say("Cover"), daily: say("Try") }[own.lays] ?? say("Play");
    const begun = s.laid.length || s.held || s.asking || s.picked.length;
    const next = own.turn || begun || own.lays === "daily" ? undefined : does.next();
    const ok = ready && own.turn && !sending && !refuses(draft);
    return [
      sign(say("More"), "more", () => open(Boolean(extras.hidden)), !extras.hidden),
      ...(begun ? [sign(say("Recall"), "recall", () => does.set(p.recall(s)))] : own.lays !== "remove" ? [sign(say("Shuffle"), "shuffle", () => does.set(p.shuffle(s, Math.random)))] : []),
      ...(own.draws && own.turn && s.laid.length ? [vowels(s)] : []),
      next ? button(say("Next game"), next, { as: "next", style: "primary play" }) : button([sure ? say("Sure?") : "", verb, points].filter((x) => x !== "").join(" "), does.play, { as: "play", style: "primary play", quiet: !ok }),
    ];
  }

  /** seldom returns the rarely used buttons. Those that end a turn are here, away from the frequent ones. @param {Now} now @returns {HTMLElement[]} */
  function seldom({ view: { own, buttons, phase }, s }) {
    if (!own) return [];
    const after = (/** @type {() => unknown} */ f) => () => {
      f();
      open(false);
    };
    return [
      ...(own.lays !== "remove" ? [button(say("Sort"), after(() => does.set(p.sort(s))))] : []),
      ...(own.exchange > 0 ? [button(say("Exchange"), () => {
        does.set(p.startExchange(s));
        open(false);
        does.choose();
      })] : []),
      ...(own.pass ? [button(say("Pass"), after(() => does.give("pass")))] : []),
      ...(own.turn && own.hints ? [button(say("Hint"), after(() => does.give("hint")))] : []),
      ...(buttons ?? []).filter(quiet).map((b) => button(b.label, after(() => does.press(b.id)))),
      ...(own.tries || own.lays === "daily" || buttons?.some((b) => command(b) === "unseen") ? [] : [button(say("Unseen tiles"), after(() => does.give("unseen")))]),
      ...(phase !== "over" && own.lays !== "daily" ? [button(say("Resign"), after(() => does.give("resign")), { style: "danger" })] : []),
    ];
  }

  /** @param {Now} now */
  function draw(now) {
    const say = tallied(now);
    tally.classList.toggle("bad", Boolean(say?.bad));
    if (say) tally.replaceChildren(...say.parts);
    clearTimeout(pausing);
    if (spoken.textContent !== tally.textContent) pausing = setTimeout(() => (spoken.textContent = tally.textContent), 900);
    clearTimeout(settling);
    const rest = now.s.arrived + p.settle - performance.now();
    if (rest > 0) settling = setTimeout(() => draw(now), rest + 5);
    fill(acts, list(now));
    shown = now;
    if (!now.view.own) extras.hidden = true;
    if (!extras.hidden) fill(extras, seldom(now));
    const onward = now.view.ending ? does.onward(now.view) : [];
    const replaced = onward.map((b) => b.dataset.as);
    if (replaced.includes("review") && replaced.includes("share")) replaced.push("replay", "export"); // sharing offers both
    beside.classList.toggle("onward", onward.length > 0);
    fill(beside, [...onward, ...(now.view.buttons ?? []).filter((b) => (!now.view.own || !quiet(b)) && !replaced.includes(command(b))).map((b) => button(b.label, () => does.press(b.id), { as: command(b), style: b.style === 1 ? "primary" : b.style === 2 ? "danger" : "" }))]);
  }

  return { tally, spoken, acts, beside, extras, draw };
}
