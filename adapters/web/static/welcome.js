// What stands at the beginning of a stream, and tells a newcomer what to do.

import { el, hostTile, tile } from "./dom.js";
import { title, nameOf } from "./store.js";

const local = ["localhost", "127.0.0.1", "[::1]"].includes(location.hostname);

// welcome makes the beginning of a stream; compose.insert puts a command into
// the box.
export function welcome(s, compose) {
  const suggest = (command) => el("button", { type: "button", class: "try", onclick: () => compose.insert(command + " ") }, el("code", {}, command));
  if (s.kind === "direct") {
    return el("li", { class: "welcome" }, tile(nameOf({ id: s.with }), s.with),
      el("h3", {}, title(s)),
      el("p", {}, "What you two say here nobody else can read. A table opened here with ", suggest("/new"), " is for the two of you."));
  }
  if (s.kind === "host") {
    return el("li", { class: "welcome" }, hostTile(),
      el("h3", {}, "Rackmate"),
      el("p", {}, "What the host has to tell you alone, such as the tiles that you begin with, comes here. While you play, your rack stands above the box in the channel of the game."));
  }
  return el("li", { class: "welcome" },
    el("span", { class: "tiles", "aria-hidden": "true" }, ..."PLAY".split("").map((c) => tile(c, c))),
    el("h3", {}, `Welcome to ${title(s)}`),
    el("p", {}, "Talk here, and play: one game at a time in each channel."),
    el("ol", { class: "steps" },
      el("li", {}, el("b", {}, "Open a table. "), "Type ", suggest("/new"), " and press Enter, or name somebody: ", el("code", {}, "/new @Ann"), "."),
      el("li", {}, el("b", {}, "Get somebody to play with. "), ...local
        ? ["Open ", el("code", {}, location.origin), " in a second browser, or in a private window, and choose another name there. They press Join."]
        : ["Send them the address: ", el("code", {}, location.origin), ". They choose a name and press Join."]),
      el("li", {}, el("b", {}, "Play a word. "), "Your rack stands above the box. Type ", suggest("/play"), ", your word and a space: the squares where it fits show up."),
    ));
}
