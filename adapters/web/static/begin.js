// Begins games: against a robot, against people, or against whoever comes.

import { call, newID, plain, refusal } from "./api.js";
import { go } from "./nav.js";
import { here } from "./settings.js";
import { store, stream, nameOf, emit } from "./store.js";
import { alone, lineOf, optionsOf, withoutOf } from "./choice.js";

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
  go("/" + (link ? new URL(link, location.href).hash : "#" + at), { board: true });
  return "";
}

/** wait pairs the person with somebody who waits, or lets them wait on the home page. It returns the host's refusal, or "". @param {{ options?: Record<string, string>, with?: string, off?: boolean }} how */
export async function wait(how) {
  try {
    const { stream: at, reply } = await call("wait", { id: newID(), ...how, ...here() });
    if (reply) return plain(reply);
    go(at ? "/#" + at : "/", { board: Boolean(at) });
    if (!at) emit("waits", !how.off);
    return "";
  } catch (e) {
    return plain(refusal(e));
  }
}
