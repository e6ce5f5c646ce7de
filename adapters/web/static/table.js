// A table on a page of its own: the board and its connection to the host. The pages of games and
// the one in Discord use it.

import { announce, online } from "./dom.js";
import { kept } from "./kept.js";
import { ask, newID, pause, Refusal, refusal, soon } from "./api.js";
import { asks, mount } from "./board.js";
import { settings, here, tick } from "./settings.js";

/**
 * open shows the table at a base address in an element. on has:
 *
 *	sight(sight)    receives the table, or null if there is none
 *	said(reply)     receives the answer to a button
 *	lost(refusal)   called when the host no longer shows us the table
 *	headers         headers that identify the person in each request
 *	tries()         the review, in which tries are judged
 *	show(sight)     the part of the table to show on the board; undefined means all of it
 *	face(seat)      a picture of the seat's player
 *	moves           element for the list of moves, if not below the board
 *	first           the answer with the table, if it is known already
 *	still           whether the table changes only by actions on this page
 * @param {string} base @param {HTMLElement} root @param {TableHandlers} on
 */
export function open(base, root, on) {
  let number = -1, table = 0, waited = false;
  let first = on.first;
  let seen = ""; // the state of the table that we have, as the host names it
  /** @type {() => Record<string, string>} */
  const headers = () => on.headers?.() ?? {};

  const call = (/** @type {string} */ path, body = {}, /** @type {{ tries?: number }} */ how = {}) => ask(base + path, body, { headers: headers(), ...how });

  const press = (/** @type {string} */ button) => deliver("press", { button, id: newID() }).catch(refusal).then((reply) => on.said(reply));
  const board = mount(root, {
    async act(request) {
      if (on.tries?.().tries()) return on.tries().judge(request);
      const reply = await deliver("act", { ...request, id: newID() });
      if ((on.still || asks.includes(request.command)) && !reply.refused) on.said(reply, request);
      return reply;
    },
    draft: (/** @type {{ word: string, at: string }} */ play) => (on.tries?.().tries() ? on.tries().draft(play) : call("draft", play, { tries: 1 })),
    press,
    say: announce, settings, sound: tick, share: on.share, review: on.review, face: on.face, moves: on.moves,
  });

  // Plays without an answer yet are kept with the tab, so that each is sent once, whatever happens
  // to the connection or the page.
  const box = "plays " + base;
  /** @type {[string, any][]} */
  let outbox = kept.get(box, []);
  /** @param {string} path @param {any} request @returns {Promise<Reply>} */
  async function deliver(path, request) {
    outbox.push([path, request]);
    kept.set(box, outbox);
    return again(path, request);
  }
  /** @param {string} path @param {any} request @returns {Promise<Reply>} */
  async function again(path, request) {
    try {
      return (await call(path, { ...request, ...here() }, { tries: Infinity })).reply;
    } finally {
      outbox = outbox.filter(([, other]) => other.id !== request.id);
      kept.set(box, outbox);
      await look();
    }
  }

  const gone = (/** @type {number} */ status) => status >= 400 && status < 500 && status !== 429;

  let asked = 0;
  async function look() {
    const question = ++asked;
    let sight, answer;
    try {
      answer = first ?? await call("table", {});
      first = undefined;
      sight = answer.sight ?? null;
    } catch (e) {
      if (e instanceof Refusal && gone(e.status)) on.lost(e);
      else if (!seen && on.still) await pause(soon(2000)).then(look); // nothing is in view yet, and nobody announces news
      return;
    }
    if (question !== asked && sight?.number < number) return;
    if (sight && sight.table === table && sight.number < number) return;
    [number, table] = [sight?.number ?? -1, sight?.table ?? 0];
    seen = sight ? `${table}.${number}` : "none";
    on.sight(sight, answer);
    if (sight) board.show(on.show?.(sight) ?? sight);
    if (waited && sight?.own?.turn) tick();
    waited = Boolean(sight?.own && !sight.own.turn);
  }

  // The host announces news, and the page then loads the table itself. In case a proxy delays the
  // announcements, it also loads it now and then.
  let heard = Date.now(), listening = new AbortController();
  async function listen() {
    for (let wait = 500; ; wait = Math.min(15000, wait * 2)) {
      try {
        const response = await fetch(base + "live" + (seen && "?seen=" + seen), { headers: headers(), signal: listening.signal });
        if (gone(response.status)) return on.lost(new Refusal("", response.status));
        if (!response.ok || !response.body) throw new Error("no stream");
        const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
        for (let rest = ""; ;) {
          const { value, done } = await reader.read();
          if (done) break;
          online(true);
          wait = 500;
          heard = Date.now();
          rest += value;
          const events = rest.split("\n\n");
          rest = events.pop() ?? "";
          if (events.some((e) => e.startsWith("event: table"))) look();
        }
      } catch {
        // Reconnect.
      }
      online(false);
      await pause(soon(wait));
    }
  }
  // hangUp ends the connection, for the loop to make another.
  function hangUp() {
    listening.abort();
    listening = new AbortController();
  }
  addEventListener("pagehide", hangUp); // see live.js
  setInterval(() => !on.still && Date.now() - heard > 30000 && document.visibilityState === "visible" && look(), 15000);
  document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && look());

  return {
    call, look, board, press,
    // anew shows another table, as the headers now determine.
    anew() {
      [number, table, waited, seen] = [-1, 0, false, ""];
      hangUp();
      return look();
    },
    give: (/** @type {string} */ command, /** @type {Record<string, string>} */ args) => deliver("act", { command, args, id: newID() }),
    // enter redeems the pass of a personal link, once. It stands after "#", so that no server and no
    // site that fetches a preview sees it.
    async enter() {
      const pass = new URLSearchParams(location.hash.slice(1)).get("pass");
      if (!pass) return;
      history.replaceState(null, "", location.pathname);
      await call("enter", { pass }).catch((e) => on.said(refusal(e)));
    },
    async start() {
      for (const [path, request] of outbox) again(path, request).catch(() => {});
      await look(); // the host then announces only what is newer
      if (!on.still) listen();
    },
  };
}
