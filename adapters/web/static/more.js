// Buttons that report, block and remove. The menus and dialogs behind them load when they are needed.

import { el, icon } from "./dom.js";
import { say } from "./say.js";
import { store, nameOf, emit } from "./store.js";

/** button opens the menu of a person, or of a message of theirs. @param {string} label @param {Person} who @param {Message} [m] */
const button = (label, who, m) => el("button", { type: "button", class: "icon-button more", "aria-haspopup": "dialog", "aria-label": label, title: say("More"), onclick: () => import("./order.js").then(({ open }) => open(who, m)) }, icon("more"));

/**
 * more returns the button that opens a message's menu, or false for the host's messages.
 * @param {Message} m
 */
export const more = (m) => !!m.from && !!m.number && button(say("More about {name}'s message", { name: nameOf(m.from) }), m.from, m);

/** about returns the button that opens a person's menu. @param {Presence} p */
export const about = (p) => button(say("More about {name}", { name: p.name }), p);

/** keeping returns the keepers' buttons in the person's own dialog. @param {() => void} before */
export function keeping(before) {
  const go = (/** @type {string} */ label, /** @type {string} */ line) => el("button", { type: "button", class: "button small", onclick: () => {
    before();
    emit("command", line);
  } }, label);
  return [
    go(say("People I blocked"), "/block"),
    store.keeper && go(say("What has been reported"), "/reports"),
    store.keeper && go(say("Who is banned"), "/reports people"),
    store.keeper && go(say("What keepers have done"), "/reports log"),
    store.keeper && go(say("Make an invitation"), "/invite"),
    store.keeper && el("button", { type: "button", class: "button small", onclick: () => {
      before();
      import("./order.js").then(({ tidy }) => tidy());
    } }, say("Channels…")),
  ].filter((one) => one !== false && one !== undefined);
}
