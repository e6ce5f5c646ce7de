// Menus for a message or a person: report, block, remove, and the keepers' actions. Each can also
// be typed as a command.

import { say } from "./say.js";
import { el, icon, find } from "./dom.js";
import { call } from "./api.js";
import { store, nameOf, emit } from "./store.js";

/** run gives a command as if it were typed. @param {string} line */
const run = (line) => emit("command", line);

const reasons = [["rude", say("Rude or hateful")], ["spam", say("Spam")], ["cheating", say("Cheating")], ["name", say("Their name")], ["other", say("Something else")]];

/** open shows the menu of a person, or of a message of theirs. @param {Person} who @param {Message} [m] */
export function open(who, m) {
  const name = nameOf(who);
  const mine = who.id === store.me.id;
  const there = store.people.has(who.id) || store.some;
  const did = (/** @type {string} */ line) => () => {
    close();
    run(line);
  };
  const act = (/** @type {string} */ label, /** @type {() => void} */ does, danger = false) => el("button", { type: "button", class: "button" + (danger ? " danger" : ""), onclick: does }, label);
  const said = m ? ` message:${m.number}` : "";
  const list = [
    there && el("a", { class: "button", href: `/@${encodeURIComponent(name)}` }, say("Profile")),
    !mine && there && act(say("Challenge {name} to a game", { name }), did(`/new @${name}`)),
    !mine && there && el("a", { class: "button", href: `/@${encodeURIComponent(name)}?together` }, say("Games together")),
    mine && m && act(say("Remove my message"), did(`/unsay ${m.number}`)),
    !mine && act(say("Report…"), () => fill(report())),
    !mine && there && act(say("Block {name}", { name }), did(`/block @${name}`)),
    !mine && store.keeper && m && act(say("Remove the message"), did(`/unsay ${m.number}`)),
    !mine && store.keeper && there && act(say("Mute…"), () => fill(times("mute", say("Mute {name}", { name }), [["10m", say("for 10 minutes")], ["1h", say("for an hour")], ["1d", say("for a day")], ["7d", say("for a week")]]))),
    !mine && store.keeper && act(say("Ban…"), () => fill(times("ban", say("Ban {name}", { name }), [["1d", say("for a day")], ["7d", say("for a week")], ["30d", say("for 30 days")], ["", say("for good")]])), true),
  ];

  const report = () => {
    const note = el("input", { id: "order-note", maxlength: "300", autocomplete: "off" });
    const why = el("fieldset", { class: "order-why" }, el("legend", {}, say("What is wrong?")),
      ...reasons.map(([value, label], i) => el("label", { class: "check" }, el("input", { type: "radio", name: "why", value, checked: i === 0 }), label)));
    return el("form", { onsubmit: (e) => {
      e.preventDefault();
      const words = note.value.replace(/[:@/]/g, " ").trim();
      did(`/report${m ? said : ` @${name}`} why:${/** @type {HTMLInputElement} */ (why.querySelector("input:checked")).value}${words && ` note:${words}`}`)();
    } }, why, el("label", { for: "order-note" }, say("Anything else?")), note,
    el("p", { class: "quiet" }, say("The room's keepers get it, with what was said before. Nobody else finds out.")),
    el("div", { class: "sheet-buttons" }, el("button", { type: "submit", class: "button primary" }, say("Report"))));
  };

  const times = (/** @type {string} */ command, /** @type {string} */ label, /** @type {string[][]} */ all) => el("div", {}, el("p", {}, label),
    el("div", { class: "order-list" }, ...all.map(([t, label_]) => act(label_, did(`/${command} @${there ? name : who.id}${t && ` for:${t}`}`), command === "ban"))));

  const body = el("div", { class: "order-list" });
  /** @type {HTMLDialogElement} */
  const dialog = el("dialog", { class: "sheet narrow", "aria-labelledby": "order-title", onclose: () => dialog.remove(), onclick: (/** @type {Event} */ e) => e.target === dialog && close() },
    el("header", { class: "sheet-head" }, el("h2", { id: "order-title", tabindex: "-1" }, el("bdi", {}, name)),
      el("button", { type: "button", class: "icon-button close", "aria-label": say("Close"), onclick: () => close() }, icon("close"))),
    m && el("p", { class: "quiet order-said", dir: "auto" }, m.text.map((t) => t.text).join("")), body);
  const close = () => dialog.close();
  const fill = (/** @type {HTMLElement} */ node) => {
    body.replaceChildren(node);
    find("input, button", body).focus();
  };
  body.append(...list.filter((one) => one instanceof HTMLElement));
  document.body.append(dialog);
  dialog.showModal();
}

/** @typedef {{ id: string, name: string, archived?: boolean }} ChannelInfo */

/** tidy shows the keepers' dialog for managing channels. */
export async function tidy() {
  const list = el("div", { class: "order-list" });
  const problem = el("p", { class: "error", role: "alert" });
  const dialog = /** @type {HTMLDialogElement} */ (el("dialog", { class: "sheet narrow", "aria-labelledby": "tidy-title", onclose: () => dialog.remove(), onclick: (/** @type {Event} */ e) => e.target === dialog && dialog.close() },
    el("header", { class: "sheet-head" }, el("h2", { id: "tidy-title", tabindex: "-1" }, say("Channels")),
      el("button", { type: "button", class: "icon-button close", "aria-label": say("Close"), onclick: () => dialog.close() }, icon("close"))),
    list, problem));
  document.body.append(dialog);
  dialog.showModal();

  const change = (/** @type {ChannelInfo} */ c, /** @type {string} */ what, name = "") => async () => {
    problem.textContent = "";
    try {
      await call("change-channel", { stream: c.id, do: what, name });
      await draw();
    } catch (err) {
      problem.textContent = /** @type {Error} */ (err).message;
    }
  };
  const rename = (/** @type {ChannelInfo} */ c) => () => {
    const box = /** @type {HTMLInputElement} */ (el("input", { value: c.name, maxlength: "30", autocomplete: "off", "aria-label": say("Name of the channel") }));
    list.replaceChildren(el("form", { onsubmit: (/** @type {Event} */ e) => {
      e.preventDefault();
      change(c, "rename", box.value)();
    } }, box, el("div", { class: "sheet-buttons" }, el("button", { type: "submit", class: "button primary" }, say("Rename")))));
    box.select();
  };
  const remove = (/** @type {ChannelInfo} */ c) => () => list.replaceChildren(
    el("p", {}, say("Remove #{channel} and everything said there? That can't be undone.", { channel: c.name })),
    el("div", { class: "sheet-buttons" },
      el("button", { type: "button", class: "button danger", onclick: change(c, "remove") }, say("Remove")),
      el("button", { type: "button", class: "button", onclick: () => draw() }, say("Cancel"))));
  const draw = async () => {
    const { channels } = /** @type {{ channels: ChannelInfo[] }} */ (await call("all-channels", {}));
    const small = (/** @type {string} */ label, /** @type {() => void} */ does) => el("button", { type: "button", class: "button small", onclick: does }, label);
    list.replaceChildren(...channels.map((c) => el("div", { class: "order-channel" }, el("bdi", {}, "#" + c.name), " ",
      small(say("Rename"), rename(c)), " ",
      c.id !== "general" && (c.archived ? small(say("Restore"), change(c, "restore")) : small(say("Archive"), change(c, "archive"))), " ",
      c.id !== "general" && small(say("Remove"), remove(c)))));
  };
  await draw();
}
