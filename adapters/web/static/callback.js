// Ways to come back: a recovery code in case this browser forgets the person, and notifications
// while the page is closed. Each is offered once, after the person has sat down at a table.

import { $, el, icon, announce } from "./dom.js";
import { kept } from "./kept.js";
import { say, parts } from "./say.js";
import { call, plain, refusal } from "./api.js";
import { go } from "./nav.js";

// The room's policy lets scripts load only this script.
const scripts = globalThis.trustedTypes?.createPolicy("worker", { createScriptURL: (url) => { if (url !== "/sw.js") throw new TypeError(url); return url; } });

let sent = false; // whether the host sends notifications

const able = () => sent && "serviceWorker" in navigator && "PushManager" in globalThis && "Notification" in globalThis;

/** @param {boolean} push whether the host sends notifications */
export function start(push) {
  sent = push;
  if ("serviceWorker" in navigator) {
    navigator.serviceWorker.register(scripts ? scripts.createScriptURL("/sw.js") : "/sw.js").catch(() => {});
    navigator.serviceWorker.addEventListener("message", (e) => /^\/(#|g\/)/.test(e.data?.go) && go(e.data.go));
  }
  $("set-push").addEventListener("change", () => ($("set-push").checked ? subscribe() : unsubscribe()));
  $("new-recovery").addEventListener("click", () => showCode($("recovery-here"), { again: true }));
  $("end-others").addEventListener("click", async () => {
    await call("end-others", {});
    $("others-said").textContent = say("Done. Your other devices have been signed out.");
  });
}

// ready updates the dialog when it opens.
export async function ready() {
  $("recovery-here").replaceChildren();
  $("others-said").textContent = $("push-said").textContent = "";
  $("push-row").hidden = !able();
  const there = able() && Notification.permission === "granted" && (await (await navigator.serviceWorker.getRegistration())?.pushManager.getSubscription());
  $("set-push").checked = Boolean(there);
}

async function subscribe() {
  try {
    if ((await Notification.requestPermission()) !== "granted") throw new Error(say("This browser doesn't allow it. You can allow it in the browser's settings for this site."));
    const { key } = await call("push-key", {});
    const worker = await navigator.serviceWorker.ready;
    const there = await worker.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
    await call("push", there.toJSON());
    $("push-said").textContent = say("You'll be notified here when it's your turn. /settings says when not to.");
  } catch (e) {
    $("set-push").checked = false;
    $("push-said").textContent = plain(refusal(e));
  }
  announce($("push-said").textContent);
}

async function unsubscribe() {
  const there = await (await navigator.serviceWorker.getRegistration())?.pushManager.getSubscription();
  if (!there) return;
  await call("push-off", there.toJSON()).catch(() => {});
  await there.unsubscribe();
}

/** @param {HTMLElement} box @param {{ again?: boolean }} [how] */
async function showCode(box, { again = false } = {}) {
  const { code } = await call("recovery", {});
  const shown = el("b", { class: "code" }, code);
  /** @type {HTMLElement} */
  const copy = el("button", { type: "button", class: "button small", onclick: () => navigator.clipboard.writeText(code).then(() => (copy.textContent = say("Copied"))) }, say("Copy"));
  box.replaceChildren(el("p", {}, ...(again ? parts("Your recovery code: {code} Your earlier one no longer works.", { code: shown }) : parts("Your recovery code: {code}", { code: shown }))), copy);
  announce(say("Your recovery code is {code}", { code: [...code].join(" ") }));
}

/**
 * seated offers a recovery code the first time that the person sits at a table, and notifications
 * after a later game.
 * @param {Sight} sight
 */
export function seated(sight) {
  const box = $("offer");
  if (!box.hidden) return;
  if (!kept.getLong("recovery offered", false)) {
    kept.setLong("recovery offered", true);
    const said = offer(say("A recovery code lets you back in if this browser forgets you."), say("Show my code"), (button) => {
      button.remove();
      showCode(said).catch((refusal) => said.replaceChildren(refusal.message));
    });
  } else if (sight.phase === "over" && able() && Notification.permission === "default" && !kept.getLong("push offered", false)) {
    kept.setLong("push offered", true);
    offer(say("Get a notification when it's your turn, even when the page is closed?"), say("Notify me"), () => subscribe().then(close));
  }
}

/**
 * offer shows an offer with a button, and returns the element of its text.
 * @param {string} text @param {string} label @param {(button: HTMLElement) => void} press
 */
function offer(text, label, press) {
  const said = el("div", { class: "offer-said" }, text);
  /** @type {HTMLElement} */
  const does = el("button", { type: "button", class: "button small primary", onclick: () => press(does) }, label);
  $("offer").replaceChildren(said, el("div", { class: "offer-buttons" }, does,
    el("button", { type: "button", class: "icon-button", "aria-label": say("Close"), onclick: close }, icon("close"))));
  $("offer").hidden = false;
  announce(text);
  return said;
}

const close = () => ($("offer").hidden = true);
