// The people in the Activity, as Discord's client reports them: players and watchers.

import { el, tile } from "./dom.js";
import { say } from "./say.js";

/** people keeps the list of the people present; all is its element. @param {HTMLElement} all */
export function people(all) {
  /** @type {Participant[]} */
  let there = [];
  /** @type {Record<string, number> | null} */
  let seats = null; // by player id; null without a game

  /** name returns a person's name in the server. @param {Participant} p */
  const name = (p) => p.nickname || p.global_name || p.username;

  /** face returns a person's picture, or their letter if there is none or it fails to load. @param {Participant} p */
  function face(p) {
    const letter = el("span", { class: "avatar" }, tile(name(p), p.id));
    if (!/^\d+$/.test(p.id) || !/^\w+$/.test(p.avatar ?? "")) return letter;
    const img = el("img", { class: "avatar", alt: "", src: `https://cdn.discordapp.com/avatars/${p.id}/${p.avatar}.png?size=64` });
    img.addEventListener("error", () => img.replaceWith(letter));
    return img;
  }

  function draw() {
    all.replaceChildren(...there.map((p) => el("li", {}, face(p), el("bdi", {}, name(p)), seats !== null && !(p.id in seats) && el("span", { class: "quiet" }, say("watching")))));
  }

  return {
    /** come sets the people present. @param {Participant[]} now */
    come(now) {
      there = now.filter((p) => p && typeof p.id === "string" && !p.bot);
      draw();
    },
    /** sit sets the players' seats, or null without a game. @param {Record<string, number> | null} now */
    sit(now) {
      if (JSON.stringify(now) === JSON.stringify(seats)) return;
      seats = now;
      draw();
    },
    /** at returns the picture of a seat's player, or null if they aren't present. @param {number} seat */
    at(seat) {
      const p = there.find((one) => seats?.[one.id] === seat);
      return p ? face(p) : null;
    },
    /** count returns how many people are present. */
    count: () => there.length,
    /** called returns the name of a person present. @param {string} id */
    called(id) {
      const p = there.find((one) => one.id === id);
      return p && name(p);
    },
  };
}
