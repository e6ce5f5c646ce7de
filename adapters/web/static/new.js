// Starts games: at once with the last settings, or with the card of a new game.

import { give, ofGame, shareGame } from "./give.js";
import { $ } from "./dom.js";
import { call, newID, plain, refusal } from "./api.js";
import { go } from "./nav.js";
import { here } from "./settings.js";
import { store, stream, nameOf, emit } from "./store.js";
import { alone, chosen, lineOf, optionsOf, withoutOf } from "./choice.js";

/**
 * begin starts a game against a robot, against people by their ids, or against anybody. A table opens
 * in the channel in view, or else in the players' conversation. It returns the host's refusal, or "".
 * @param {NewGame} choice @param {string[]} [people]
 */
export async function begin(choice, people = []) {
  const options = optionsOf(choice), own = "dm." + store.me.id;
  const at = store.current ? stream(store.current) : undefined, channel = at?.kind === "channel" ? at.id : "";
  if (alone(choice)) return table(own, lineOf(options));
  if (choice.who === "robot" && !withoutOf(choice).includes("robots")) return table(own, lineOf({ robots: choice.level, ...options }));
  if (choice.who === "friend" && people.length) {
    const names = people.map((id) => nameOf({ id }));
    if (channel || people.length > 1) return table(channel || "general", lineOf(options, names));
    try {
      const { id } = await call("direct", { person: people[0] });
      return await table(id, lineOf(options));
    } catch (e) {
      return plain(refusal(e));
    }
  }
  const simple = Object.keys(options).every((name) => ["clock", "pace", "language"].includes(name));
  if (!channel && simple) return wait({ options });
  // Two play unless something else is chosen.
  return table(channel || "general", lineOf({ ...options, ...(!["seats", "variant", "rules"].some((name) => options[name]) && { seats: "2" }) }));
}

/** table opens a table by a command, and shows it. It returns the host's refusal, or "". @param {string} at @param {string} text */
async function table(at, text) {
  /** @type {Reply} */
  let reply;
  try {
    ({ reply } = await call("say", { stream: at, id: newID(), text, ...here() }, { tries: Infinity }));
  } catch (e) {
    reply = refusal(e);
  }
  if (reply.refused) return plain(reply);
  const link = reply.text.find((t) => t.link)?.link; // the thread beside the conversation
  emit("reply", stream(at), reply, text);
  go("/" + (link ? new URL(link, location.href).hash : "#" + at));
  return "";
}

/** wait pairs the person with somebody who waits, or lets them wait on the home page. It returns the host's refusal, or "". @param {{ options?: Record<string, string>, with?: string, off?: boolean }} how */
export async function wait(how) {
  try {
    const { stream: at, reply } = await call("wait", { id: newID(), ...how, ...here() });
    if (reply) return plain(reply);
    go(at ? "/#" + at : "/");
    if (!at) emit("waits", !how.off);
    return "";
  } catch (e) {
    return plain(refusal(e));
  }
}

/** playRobot begins a game against a robot as chosen last. It returns the host's refusal, or "". */
export const playRobot = () => begin({ ...chosen(), who: "robot", rest: {} });

/** open opens the card of a new game. */
export const open = () => import("./newcard.js").then((card) => card.open());

// running lists tables elsewhere that can be joined or watched.
export async function running() {
  try {
    return (await call("running", {}, { tries: 1 })).games.filter((/** @type {Running} */ g) => g.stream !== store.current);
  } catch {
    return [];
  }
}

export function start() {
  $("new-game").addEventListener("click", open);
}

/** invite prepares a link for an opponent, opens a table for two if there is none, and returns instructions. */
export async function invite() {
  const s = stream(store.current);
  if (!s.sight || s.sight.phase === "over") emit("command", `/new seats:2`, s.id);
  let url = `${location.origin}/#${s.id}`;
  if (!store.open) {
    try {
      const { reply } = await call("say", { stream: s.id, id: newID(), text: `/invite uses:3` });
      const link = reply.text.find((/** @type {Span} */ t) => t.code && t.text.includes("/in/"));
      if (!link) return plain(reply);
      url = link.text;
    } catch (e) {
      return plain(refusal(e));
    }
  }
  return give(url);
}

/** share shares the page of the latest game, and returns a message about the result. */
export async function share() {
  const { page, sight } = stream(store.current);
  if (page && sight?.phase === "over") return shareGame(page, true), "";
  if (page && sight?.phase !== "lobby") return give(ofGame(page));
  try {
    const { reply } = await call("say", { stream: store.current, id: newID(), text: `/board page:yes` });
    const link = reply.buttons?.find((/** @type {Button} */ b) => b.link)?.link;
    return link ? give(new URL(link, location.href).href) : plain(reply);
  } catch (e) {
    return plain(refusal(e));
  }
}
