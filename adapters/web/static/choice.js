// The settings of a new game. The browser remembers them for the next one.

import { kept } from "./kept.js";
import { el } from "./dom.js";
import { say } from "./say.js";
import { store } from "./store.js";

/** times lists the times that are one press away: none, a clock, or the time for a turn. */
export const times = ["", "3m", "5m+3s", "10m+5s", "15m", "1d"];

/** option returns an option of /new. @param {string} name */
export const option = (name) => store.commands.find((c) => c.name === "new")?.options.find((o) => o.name === name);

// levels returns the robots' levels, the weakest first.
export const levels = () => option("robots")?.choices ?? [];

// usual returns the default level of a robot.
const usual = () => levels()[Math.floor((levels().length - 1) / 3)]?.value ?? "";

/** chosen returns the settings of the last game, or the usual ones. @returns {NewGame} */
export function chosen() {
  const choice = { who: "robot", level: "", time: "", language: "", rest: {}, ...kept.getLong("choice", {}) };
  if (!levels().some((l) => l.value === choice.level)) choice.level = usual();
  return choice;
}

/** choose changes the settings and remembers them. @param {Partial<NewGame>} change */
export function choose(change) {
  const choice = { ...chosen(), ...change };
  kept.setLong("choice", choice);
  return choice;
}

/** calledShort returns the name at the beginning of a choice's label. @param {string} label */
export const calledShort = (label) => label.split(/[:：]/)[0];

/** detailOf returns the text after the name in a choice's label. @param {string} label */
export const detailOf = (label) => label.slice(calledShort(label).length + 1).trim();

/** segments draws choices side by side, one of which is chosen: value, label, unit, and words. @param {string} name @param {[string, string, string?, string?][]} all @param {string} now @param {(value: string) => void} pick */
export const segments = (name, all, now, pick) => all.map(([value, label, unit, words]) => el("label", { class: "segment" },
  el("input", { type: "radio", name, value, checked: value === now, "aria-label": words, onchange: () => pick(value) }), el("span", {}, label, unit && el("small", {}, unit))));

/** withoutOf returns the options that make no sense in the chosen variant. @param {NewGame} choice */
export const withoutOf = (choice) => option("variant")?.choices?.find((c) => c.value === choice.rest.variant)?.without ?? [];

/** alone reports whether the chosen variant is for one player. @param {NewGame} choice */
export const alone = (choice) => withoutOf(choice).includes("opponents");

/** ofTime returns the options of /new for a time. @param {string} time @returns {Record<string, string>} */
const ofTime = (time) => (time === "" ? {} : /[hd]$/.test(time) ? { pace: time } : { clock: time });

/** timeOf returns the time of some options of /new. @param {Record<string, string>} options */
export const timeOf = (options) => options.clock ?? options.pace ?? "";

/** clock returns a time's minutes and seconds a turn, or undefined if it isn't a clock. @param {string} time */
export function clock(time) {
  const [, minutes, seconds] = /^(\d+)m(?:\+(\d+)s)?$/.exec(time) ?? [];
  return minutes ? { minutes: Number(minutes), seconds: Number(seconds ?? 0) } : undefined;
}

/** ofClock returns the time of a clock. @param {number} minutes @param {number} seconds */
export const ofClock = (minutes, seconds) => `${minutes}m${seconds ? `+${seconds}s` : ""}`;

/** timeName returns a time as a tile shows it: "5+3". @param {string} time */
function timeName(time) {
  const c = clock(time), days = /^(\d+)d$/.exec(time);
  if (c) return c.seconds ? `${c.minutes}+${c.seconds}` : String(c.minutes);
  return days ? say("{n, plural, one {# day a turn} other {# days a turn}}", { n: Number(days[1]) }) : time === "" ? say("No clock") : time;
}

/** timeTile returns the large text and the unit on a tile for a time. @param {string} time @returns {[string, string]} */
export function timeTile(time) {
  const c = clock(time), days = /^(\d+)d$/.exec(time);
  if (c) return [timeName(time), c.seconds ? say("min + s") : say("min")];
  return days ? [days[1], say("{n, plural, one {day a turn} other {days a turn}}", { n: Number(days[1]) })] : ["∞", say("no clock")];
}

/** timeWords returns a time in words. @param {string} time */
export function timeWords(time) {
  const c = clock(time);
  if (!c) return time === "" ? say("Think as long as you like") : timeName(time);
  const each = say("{n, plural, one {# minute} other {# minutes}} each", { n: c.minutes });
  return c.seconds ? say("{time}, plus {n, plural, one {# second} other {# seconds}} a turn", { time: each, n: c.seconds }) : each;
}

/** optionsOf returns the options of /new for a choice, without those that make no sense in its variant. @param {NewGame} choice @returns {Record<string, string>} */
export function optionsOf(choice) {
  const without = withoutOf(choice);
  /** @type {Record<string, string>} */
  const all = { ...(choice.language && { language: choice.language }), ...ofTime(choice.time), ...choice.rest };
  if (choice.who === "robot" && !without.includes("robots")) delete all.rated;
  return Object.fromEntries(Object.entries(all).filter(([name, value]) => value && !without.includes(name)));
}

/** lineOf returns the command that opens a table with some options, for some people. @param {Record<string, string>} options @param {string[]} [people] */
export const lineOf = (options, people = []) => ["/new", ...people.map((name) => "@" + name), ...Object.entries(options).map(([name, value]) => `${name}:${value}`)].join(" ");
