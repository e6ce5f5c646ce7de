// What one can do about a message or a person: report, block, remove; and what
// those who keep the room can do. All of it can be typed too.

import { el, icon } from "./dom.js";
import { store, nameOf, emit } from "./store.js";

// run gives a command, as if it were typed.
const run = (line) => emit("command", line);

const reasons = [["rude", "Rude or hateful"], ["spam", "Spam"], ["cheating", "Cheating"], ["name", "Their name"], ["other", "Something else"]];

// more is the button beside a message that opens its menu; false for what the
// host says.
export function more(m) {
  if (!m.from || !m.number) return false;
  const name = nameOf(m.from);
  return el("button", { type: "button", class: "icon-button more", "aria-haspopup": "dialog", "aria-label": `More about ${name}’s message`, title: "More", onclick: () => open(m.from, m) }, icon("more"));
}

// about is the button beside a person that opens their menu.
export function about(p) {
  return el("button", { type: "button", class: "icon-button more", "aria-haspopup": "dialog", "aria-label": `More about ${p.name}`, title: "More", onclick: () => open(p) }, icon("more"));
}

// open shows what can be done about a person, and a message of theirs.
function open(who, m) {
  const name = nameOf(who);
  const mine = who.id === store.me.id;
  const there = store.people.has(who.id) || store.some;
  const did = (line) => () => {
    close();
    run(line);
  };
  const act = (label, does, danger) => el("button", { type: "button", class: "button" + (danger ? " danger" : ""), onclick: does }, label);
  const said = m ? ` message:${m.number}` : "";
  const list = [
    mine && m && act("Remove my message", did(`/unsay ${m.number}`)),
    !mine && act("Report…", () => fill(report())),
    !mine && there && act(`Block ${name}`, did(`/block @${name}`)),
    !mine && store.keeper && m && act("Remove the message", did(`/unsay ${m.number}`)),
    !mine && store.keeper && there && act("Mute…", () => fill(times("mute", "May say nothing for", [["10m", "10 minutes"], ["1h", "an hour"], ["1d", "a day"], ["7d", "a week"]]))),
    !mine && store.keeper && there && act("Show out…", () => fill(times("kick", "Is to stay out for", [["10m", "10 minutes"], ["1h", "an hour"], ["1d", "a day"]]))),
    !mine && store.keeper && there && act("Keep out…", () => fill(times("ban", "Is kept out for", [["1d", "a day"], ["7d", "a week"], ["30d", "30 days"], ["", "good"]])), true),
  ];

  const report = () => {
    const note = el("input", { id: "order-note", maxlength: "300", autocomplete: "off" });
    const why = el("fieldset", { class: "order-why" }, el("legend", {}, "What is wrong?"),
      ...reasons.map(([value, label], i) => el("label", { class: "check" }, el("input", { type: "radio", name: "why", value, checked: i === 0 }), label)));
    return el("form", { onsubmit: (e) => {
      e.preventDefault();
      const words = note.value.replace(/[:@/]/g, " ").trim();
      did(`/report${m ? said : ` @${name}`} why:${why.querySelector("input:checked").value}${words && ` note:${words}`}`)();
    } }, why, el("label", { for: "order-note" }, "Anything else?"), note,
    el("p", { class: "quiet" }, "Those who keep the room get it, with what was said before. Nobody else learns of it."),
    el("div", { class: "sheet-buttons" }, el("button", { type: "submit", class: "button primary" }, "Report")));
  };

  const times = (command, label, all) => el("div", {}, el("p", {}, label),
    el("div", { class: "order-list" }, ...all.map(([t, label_]) => act(label_, did(`/${command} @${name}${t && ` for:${t}`}`), command === "ban"))));

  const body = el("div", { class: "order-list" });
  const dialog = el("dialog", { class: "sheet narrow", "aria-labelledby": "order-title", onclose: () => dialog.remove(), onclick: (e) => e.target === dialog && close() },
    el("header", { class: "sheet-head" }, el("h2", { id: "order-title", tabindex: "-1" }, el("bdi", {}, name)),
      el("button", { type: "button", class: "icon-button close", "aria-label": "Close", onclick: () => close() }, icon("close"))),
    m && el("p", { class: "quiet order-said", dir: "auto" }, m.text.map((t) => t.text).join("")), body);
  const close = () => dialog.close();
  const fill = (node) => {
    body.replaceChildren(node);
    body.querySelector("input, button").focus();
  };
  body.append(...list.filter(Boolean));
  document.body.append(dialog);
  dialog.showModal();
}

// keeping are the buttons in one's own dialog.
export function keeping(before) {
  const go = (label, line) => el("button", { type: "button", class: "button small", onclick: () => {
    before();
    run(line);
  } }, label);
  return [
    go("People I blocked", "/block"),
    store.keeper && go("What was reported", "/order"),
    store.keeper && go("Who is kept out", "/order people"),
    store.keeper && go("What keepers did", "/order log"),
    store.keeper && go("Make an invitation", "/invite"),
  ].filter(Boolean);
}
