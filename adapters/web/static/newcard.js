// The card of a new game: who, how much time, which language, and in one line everything else.

import { $, el, find, tile } from "./dom.js";
import { say } from "./say.js";
import { call } from "./api.js";
import { store, stream, nameOf } from "./store.js";
import { alone, calledShort, choose, chosen, clock, detailOf, levels, ofClock, option, optionsOf, segments, times, timeTile, timeWords, withoutOf } from "./choice.js";
import { begin } from "./begin.js";
import { invitation } from "./invitation.js";

const form = $("new-form"), dialog = $("new-dialog");
/** @type {{ usual: Record<string, string>, languages: { value: string, label: string }[] }} */
let place = { usual: {}, languages: [] };
let choice = chosen();
/** @type {Set<string>} */
const people = new Set();

/** called names the options behind "Change". @type {Record<string, string>} */
const called = { variant: say("The game"), rules: say("Rules"), challenge: say("Words that aren't in the list"), seats: say("Players"), order: say("Playing order"), out: say("Going out"), joining: say("Joining words"), dictionary: say("Looking words up"), hints: say("Hints"), rated: say("Rated"), bank: say("Extra time"), weekend: say("Weekends"), late: say("Late turns"), turn: say("A turn of duplicate"), master: say("The play that counts") };
const groups = [
  { title: say("Rules"), names: ["variant", "rules", "challenge", "out", "joining", "turn", "master"] },
  { title: say("The table"), names: ["seats", "order", "rated", "hints", "dictionary"] },
  { title: say("Slow games"), names: ["bank", "weekend", "late"] },
];
// fromRules lists the options that follow from the rules unless they are chosen.
const fromRules = ["challenge", "order", "out", "joining", "dictionary", "hints"];
/** @type {Record<string, string>} */
const usually = { variant: "ordinary", seats: "2", rated: "yes", turn: "3m", master: "best" };

const error = el("p", { class: "error", role: "alert" });
const said = el("p", { class: "in-words" });
const inWords = el("span");
const more = el("div", { class: "new-more", hidden: true });
const change = el("button", { type: "button", class: "link", "aria-expanded": "false", onclick: () => {
  more.hidden = !more.hidden;
  change.setAttribute("aria-expanded", String(!more.hidden));
} }, say("Change"));
said.append(inWords, " ", change);
const withWhom = el("div", { class: "with-whom" }), time = el("div", { class: "times", role: "radiogroup" }), other = el("div", { class: "other-time" });
/** @type {HTMLSelectElement} */
const language = el("select", { id: "new-language", onchange: () => set({ language: language.value === place.usual.language ? "" : language.value }) });
const languageRow = el("p", { class: "field-row", hidden: true }, el("label", { for: "new-language" }, say("Language")), language);
const submit = find("[type=submit]", form);
const timeLabel = el("legend", { id: "new-time" }, say("Time for each player"));
const inTime = el("p", { class: "quiet" });
const timePart = el("fieldset", { class: "new-part" }, timeLabel, time, other, inTime);

const whoPart = el("fieldset", { class: "new-part" }, el("legend", {}, say("Who do you play?")), el("div", { class: "segments who" }), withWhom);
time.setAttribute("aria-labelledby", "new-time");
$("new-fields").replaceChildren(whoPart, timePart, languageRow, said, more, error);
form.addEventListener("submit", send);

/** open opens the card. */
export async function open() {
  choice = chosen();
  people.clear();
  const at = store.current ? stream(store.current) : undefined;
  if (at?.kind === "direct" && store.people.has(at.with)) {
    people.add(at.with);
    choice.who = "friend";
  }
  error.textContent = "";
  more.hidden = true;
  change.setAttribute("aria-expanded", "false");
  draw();
  dialog.showModal();
  try {
    place = await call("new", {}, { tries: 2 });
    draw();
  } catch {
    // The place's usual values are applied by the host.
  }
}

/** set changes the choice and draws it. @param {Partial<NewGame>} change */
function set(change) {
  choice = choose(change);
  error.textContent = "";
  draw();
}

function draw() {
  const without = withoutOf(choice), focused = document.activeElement;
  const at = focused instanceof HTMLElement && form.contains(focused) ? focused.id || (focused instanceof HTMLInputElement ? `[name="${focused.name}"][value="${focused.value}"]` : "") : "";
  whoPart.hidden = alone(choice);
  /** @type {[string, string][]} */
  const kinds = [["robot", say("A robot")], ["friend", say("A friend")], ["anybody", say("Anybody")]];
  find(".who", whoPart).replaceChildren(...segments("who", without.includes("robots") ? kinds.slice(1) : kinds, choice.who, (who) => set({ who })));
  withWhom.replaceChildren(...opponents());
  timePart.hidden = without.includes("clock");
  drawTimes();
  languageRow.hidden = place.languages.length < 2;
  language.replaceChildren(...place.languages.map((l) => el("option", { value: l.value, selected: l.value === (choice.language || place.usual.language) }, l.label)));
  inWords.textContent = words();
  more.replaceChildren(...groups.map(({ title, names }) => ({ title, fields: names.flatMap((name) => field(name, without)) })).filter(({ fields }) => fields.length).map(({ title, fields }) => el("fieldset", {}, el("legend", {}, title), ...fields)));
  submit.textContent = choice.who === "friend" && !alone(choice) ? (people.size ? say("Invite") : say("Get a link")) : say("Play now");
  if (at && document.activeElement === document.body) /** @type {HTMLElement | null} */ (at.startsWith("[") ? form.querySelector(at) : document.getElementById(at))?.focus();
}

/** opponents draws how the opponent is chosen. @returns {(Node | string)[]} */
function opponents() {
  if (choice.who === "robot") {
    const all = levels(), i = Math.max(0, all.findIndex((l) => l.value === choice.level)), label = all[i]?.label ?? "";
    const name = el("b", { class: "level-name" }, calledShort(label)), about = el("span", { class: "quiet level-help" }, detailOf(label));
    return [el("label", { class: "level" }, el("span", { class: "unseen" }, say("Strength")), name, about,
      el("input", { id: "new-level", type: "range", min: "0", max: String(all.length - 1), step: "1", value: String(i), "aria-valuetext": all[i]?.label, oninput: (/** @type {Event} */ e) => {
        const range = /** @type {HTMLInputElement} */ (e.target), l = all[Number(range.value)];
        choice = choose({ level: l.value });
        name.textContent = calledShort(l.label);
        about.textContent = detailOf(l.label);
        range.setAttribute("aria-valuetext", l.label);
      } }))];
  }
  const here = [...store.people.values()].filter((p) => p.id !== store.me.id && !p.gone && (p.here || people.has(p.id))).sort((a, b) => a.name.localeCompare(b.name));
  if (choice.who === "anybody") {
    const at = store.current ? stream(store.current) : undefined;
    return [el("p", { class: "quiet" }, at?.kind === "channel" ? say("The first person to sit down plays you.") : say("You play the first person who wants the same game."))];
  }
  const list = el("div", { class: "friends" }, ...here.slice(0, 24).map((p) => el("label", { class: "check friend" },
    el("input", { type: "checkbox", name: "opponents", value: p.id, checked: people.has(p.id), onchange: (/** @type {Event} */ e) => {
      if (/** @type {HTMLInputElement} */ (e.target).checked) people.add(p.id);
      else people.delete(p.id);
      set({});
    } }), tile(p.name, p.id), el("bdi", {}, nameOf(p)))));
  return [el("p", { class: "quiet" }, here.length ? say("Choose somebody here, or send a link.") : say("You get a link to send. Whoever opens it plays you.")), here.length ? list : ""];
}

let others = false; // whether another time is being chosen
function drawTimes() {
  const own = others || !times.includes(choice.time);
  time.replaceChildren(...segments("time", [...times.map((t) => /** @type {[string, string, string, string]} */ ([t, ...timeTile(t), timeWords(t)])), ["other", "…", say("other")]], own ? "other" : choice.time, (value) => {
    others = value === "other";
    set(others ? { time: clock(choice.time) ? choice.time : "7m+5s" } : { time: value });
  }));
  const now = clock(choice.time) ?? { minutes: 7, seconds: 5 };
  inTime.textContent = timeWords(choice.time);
  other.hidden = !own;
  if (!own || other.contains(document.activeElement)) return;
  const number = (/** @type {string} */ id, /** @type {string} */ label, /** @type {number} */ value, /** @type {number} */ low) => el("label", {}, label, el("input", { id, type: "number", inputmode: "numeric", min: String(low), max: "60", value: String(value), oninput: () => {
    const [minutes, seconds] = ["new-minutes", "new-seconds"].map((field) => Math.round(Number(/** @type {HTMLInputElement} */ ($(field)).value)));
    if (minutes >= 1 && minutes <= 60 && seconds >= 0 && seconds <= 60) set({ time: ofClock(minutes, seconds) });
  } }));
  other.replaceChildren(number("new-minutes", say("Minutes each"), now.minutes, 1), number("new-seconds", say("Seconds more a turn"), now.seconds, 0));
}

/** field draws an option behind "Change", or nothing where it makes no sense. @param {string} name @param {string[]} without */
function field(name, without) {
  const o = option(name), choices = name === "rated" ? [{ value: "yes", label: say("Yes") }, { value: "no", label: say("No") }] : o?.choices ?? [];
  const robot = choice.who === "robot" && !without.includes("robots");
  const hidden = !o || !choices.length || without.includes(name) || (["rated", "seats"].includes(name) && robot) || (name === "seats" && people.size > 0)
    || (["turn", "master"].includes(name) && choice.rest.variant !== "duplicate") || (["bank", "weekend", "late"].includes(name) && !/[hd]$/.test(choice.time));
  if (hidden) return [];
  const base = place.usual[name] ?? usually[name] ?? "", follows = fromRules.includes(name);
  const now = choice.rest[name] ?? (follows ? "" : base);
  return [el("p", { class: "field-row" }, el("label", { for: "new-" + name }, called[name] ?? o.help),
    el("select", { id: "new-" + name, name, onchange: (/** @type {Event} */ e) => {
      const { value } = /** @type {HTMLSelectElement} */ (e.target), { [name]: _, ...rest } = choice.rest;
      set({ rest: value && (follows || value !== base) ? { ...rest, [name]: value } : rest });
    } }, follows && el("option", { value: "", selected: now === "" }, say("As the rules say")),
    ...choices.map((c) => el("option", { value: c.value, selected: c.value === now }, c.label.length > 60 ? c.label.slice(0, 58) + "…" : c.label))))];
}

/** words returns what is chosen beyond the card's own fields. */
function words() {
  const options = optionsOf(choice), without = withoutOf(choice);
  const label = (/** @type {string} */ name, /** @type {string} */ value) => option(name)?.choices?.find((c) => c.value === value)?.label ?? value;
  const rules = options.rules ?? place.usual.rules ?? "classic";
  const all = [options.variant ? calledShort(label("variant", options.variant)) : "", say("{rules} rules", { rules: calledShort(label("rules", rules)) })];
  const challenge = options.challenge ?? (options.rules ? "" : place.usual.challenge ?? "");
  const costs = label("challenge", challenge);
  if (challenge) all.push(costs === calledShort(costs) ? costs : detailOf(costs));
  for (const name of ["seats", "order", "out", "joining", "dictionary", "hints", "bank", "weekend", "late", "turn", "master"]) {
    if (options[name]) all.push(`${called[name]}: ${calledShort(label(name, options[name]))}`);
  }
  if (!without.includes("rated") && choice.who !== "robot") all.push(options.rated === "no" || options.hints === "allowed" ? say("not rated") : say("rated"));
  return all.filter(Boolean).join(" · ") + ".";
}

/** send begins the game, and closes the card unless the host refuses. @param {SubmitEvent} e */
async function send(e) {
  e.preventDefault();
  if (submit.hasAttribute("aria-busy")) return;
  submit.setAttribute("aria-busy", "true");
  choose(choice);
  try {
    if (choice.who === "friend" && !people.size && !alone(choice)) return void withWhom.replaceChildren(await invitation(optionsOf(choice)));
    error.textContent = await begin(choice, [...people]);
    if (!error.textContent) dialog.close();
  } finally {
    submit.removeAttribute("aria-busy");
  }
}
