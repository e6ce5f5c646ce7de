// Starts games: at once with the last settings, or with the card of a new game.

import { give, ofGame, shareGame } from "./give.js";
import { $ } from "./dom.js";
import { call, newID, plain, refusal } from "./api.js";
import { store, stream, emit } from "./store.js";
import { begin } from "./begin.js";
import { chosen } from "./choice.js";

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
