// Who is in the Activity: the people that Discord's client tells of, those who play and
// those who watch.

import { el, tile } from "./dom.js";
import { say } from "./say.js";

/** people keeps who is there; all is the list of them. @param {HTMLElement} all */
export function people(all) {
  /** @type {Participant[]} */
  let there = [];
  /** @type {Record<string, number>} */
  let seats = {}; // by the ids of those who play

  /** name is what the others in the server call somebody. @param {Participant} p */
  const name = (p) => p.nickname || p.global_name || p.username;

  /** face is somebody's picture, or their letter where they have none, or it can't be had. @param {Participant} p */
  function face(p) {
    const letter = el("span", { class: "avatar" }, tile(name(p), p.id));
    if (!/^\d+$/.test(p.id) || !/^\w+$/.test(p.avatar ?? "")) return letter;
    const img = el("img", { class: "avatar", alt: "", src: `https://cdn.discordapp.com/avatars/${p.id}/${p.avatar}.png?size=64` });
    img.addEventListener("error", () => img.replaceWith(letter));
    return img;
  }

  function draw() {
    all.replaceChildren(...there.map((p) => el("li", {}, face(p), el("bdi", {}, name(p)), !(p.id in seats) && el("span", { class: "quiet" }, say("watching")))));
  }

  return {
    /** come says who is there now. @param {Participant[]} now */
    come(now) {
      there = now.filter((p) => p && typeof p.id === "string" && !p.bot);
      draw();
    },
    /** sit says which of them sit where. @param {Record<string, number>} now */
    sit(now) {
      if (JSON.stringify(now) === JSON.stringify(seats)) return;
      seats = now;
      draw();
    },
    /** at is the picture of who sits on a seat, null where they aren't there. @param {number} seat */
    at(seat) {
      const p = there.find((one) => seats[one.id] === seat);
      return p ? face(p) : null;
    },
    /** called is the name of somebody who is there. @param {string} id */
    called(id) {
      const p = there.find((one) => one.id === id);
      return p && name(p);
    },
  };
}
