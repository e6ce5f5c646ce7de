// The beginning of a stream, with suggestions for newcomers.

import { say, parts } from "./say.js";
import { $, el, hostTile, tile, announce } from "./dom.js";
import { store, stream, title, nameOf } from "./store.js";
import { open, playRobot, invite, running } from "./new.js";

/**
 * welcome draws the beginning of a stream; compose.insert puts a command into the message box.
 * @param {Stream} s @param {Compose} compose
 */
export function welcome(s, compose) {
  const suggest = (/** @type {string} */ command) => el("button", { type: "button", class: "try", onclick: () => compose.insert(command + " ") }, el("code", {}, command));
  if (s.kind === "host") {
    return el("li", { class: "welcome" }, hostTile(),
      el("h2", {}, "Rackmate"),
      el("p", {}, say("Messages for you alone come here. A game you start here is against a robot.")), door(s, false));
  }
  if (s.kind === "direct") {
    return el("li", { class: "welcome" }, tile(nameOf({ id: s.with }), s.with),
      el("h2", {}, el("bdi", {}, title(s))),
      el("p", {}, ...parts("Nobody else can read what you two say here. A table opened here with {new} is just for the two of you.", { new: suggest("/new") })), door(s, false));
  }
  if (s.kind === "game") return el("li", { class: "welcome" }, el("h2", {}, el("bdi", {}, title(s))));
  return el("li", { class: "welcome" },
    el("span", { class: "tiles", "aria-hidden": "true" }, ..."PLAY".split("").map((c) => tile(c, c))),
    el("h2", {}, say("Welcome to {place}", { place: title(s) })),
    el("p", {}, say("Talk here, and play as many games as you like.")), door(s, true));
}

/** door offers ways to play when no game is on. @param {Stream} s @param {boolean} open_ */
function door(s, open_) {
  const said = el("p", { class: "quiet", role: "status" });
  const watch = el("div", { class: "watch" });
  const alone = [...store.people.values()].filter((p) => p.here).length < 2;
  const robot = el("button", { type: "button", class: "button" + (alone ? " primary" : ""), onclick: () => playRobot() }, say("Play a robot"));
  const bring = el("button", { type: "button", class: "button", onclick: async () => {
    said.textContent = await invite();
    announce(said.textContent);
  } }, say("Invite somebody"));
  const other = el("button", { type: "button", class: "button" + (alone ? "" : " primary"), onclick: open }, say("New game…"));
  if (open_) running().then((games) => games.length && watch.replaceChildren(el("h3", {}, say("Games you can watch or join")), ...games.slice(0, 8).map((/** @type {Running} */ g) => el("a", { class: "button small", href: "/#" + g.stream }, `${title(stream(g.stream))}: `, el("bdi", {}, g.players.join(", ")), g.phase === "lobby" ? " " + say("(open)") : ""))));
  return el("div", { class: "door" }, el("div", { class: "doors" }, ...(s.kind === "host" ? [robot] : alone ? [robot, bring, other] : [other, robot, open_ && bring])), said, watch);
}
