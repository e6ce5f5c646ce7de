// The frame in which Discord's client shows a page: the part of its protocol that a board needs.
// Messages are pairs of a kind and a body, posted to the surrounding page.

import { say } from "./say.js";

const homes = ["https://discord.com", "https://ptb.discord.com", "https://canary.discord.com", "https://discordapp.com", "https://ptb.discordapp.com", "https://canary.discordapp.com"];
const [handshake, message, closed] = [0, 1, 2];
const patience = 20000;

// here returns Discord's parameters in the frame's address. They prove nothing: our host asks
// Discord itself.
export function here() {
  const said = new URLSearchParams(location.search);
  return {
    frame: said.get("frame_id"), instance: said.get("instance_id"), phone: said.get("platform") === "mobile",
    // The target of the link the person came by, and the person who shared it.
    custom: said.get("custom_id") ?? "", referrer: said.get("referrer_id") ?? "",
  };
}

/**
 * connect greets Discord for an application. It returns command(name, args), which runs a command
 * there and returns its answer, and on(event, f), which calls f with each later event. Old clients
 * refuse events that they don't know.
 * @param {string} application @returns {Promise<Client>}
 */
export function connect(application) {
  const around = window.parent.opener ?? window.parent;
  const waiting = new Map(); // by nonce of the command
  /** @type {Map<string, (data: any) => void>} */
  const hearing = new Map(); // by event
  let home = ""; // origin of the surrounding page

  const send = (/** @type {number} */ kind, /** @type {object} */ body, /** @type {string} */ origin) => around.postMessage([kind, body], origin);
  const command = (/** @type {string} */ cmd, /** @type {object} */ args = {}, /** @type {string} */ evt = "") => soon(new Promise((resolve, reject) => {
    const nonce = crypto.randomUUID();
    waiting.set(nonce, { resolve, reject });
    send(message, { cmd, args, nonce, ...(evt && { evt }) }, home);
  }));
  const on = (/** @type {string} */ event, /** @type {(data: any) => void} */ f) => {
    hearing.set(event, f);
    return command("SUBSCRIBE", {}, event);
  };

  return soon(new Promise((resolve, reject) => {
    addEventListener("message", (e) => {
      if (e.source !== around || !homes.includes(e.origin) || !Array.isArray(e.data)) return;
      const [kind, body] = e.data;
      if (kind === closed) reject(new Error(body?.message ?? say("Discord closed the connection.")));
      if (kind !== message) return;
      if (body?.cmd === "DISPATCH" && body.evt === "READY") {
        home = e.origin;
        resolve({ command, on });
      }
      if (body?.cmd === "DISPATCH") hearing.get(body.evt)?.(body.data ?? {});
      const asked = waiting.get(body?.nonce);
      if (!asked) return;
      waiting.delete(body.nonce);
      if (body.evt === "ERROR") asked.reject(new Error(body.data?.message ?? say("Discord refused.")));
      else asked.resolve(body.data);
    });
    // The greeting is public, and the surrounding page is unknown until it answers.
    send(handshake, { v: 1, encoding: "json", client_id: application, frame_id: here().frame }, "*");
  }));
}

/** soon rejects if a promise takes too long. @param {Promise<any>} promise @returns {Promise<any>} */
function soon(promise) {
  return Promise.race([promise, new Promise((_, reject) => setTimeout(() => reject(new Error(say("Discord isn't answering."))), patience))]);
}
