// The live connection: server-sent events, and connecting again when they
// stop.

import { call, soon, Refusal } from "./api.js";

const silence = 45000; // three beats of the room's

/**
 * listen calls the handlers of events by their names, and online(bool) when
 * the connection comes or goes.
 * @param {Record<string, (body: any) => void>} handlers @param {(is: boolean) => void} online
 */
export function listen(handlers, online) {
  /** @type {EventSource} */
  let source;
  let watch = 0, again = 0, wait = 500;

  function connect() {
    clearTimeout(again);
    source?.close();
    source = new EventSource("/api/live");
    heard();
    for (const [name, f] of Object.entries(handlers)) {
      source.addEventListener(name, (e) => {
        heard();
        if (name === "hello") {
          wait = 500;
          online(true);
        }
        f(JSON.parse(e.data));
      });
    }
    source.addEventListener("beat", heard);
    source.onerror = () => {
      online(false);
      // The browser connects again by itself after a broken connection, but
      // gives up after an answer that is no stream.
      if (source.readyState === EventSource.CLOSED) later();
    };
  }

  function later() {
    clearTimeout(again);
    wait = Math.min(15000, wait * 2);
    again = setTimeout(ask, soon(wait));
  }

  // ask connects once the room answers, and knows who this is: somebody who was
  // shown out goes to the door instead.
  async function ask() {
    try {
      const { me } = await call("me", undefined, { tries: 1 });
      if (me) connect();
      else dispatchEvent(new Event("signed-out"));
    } catch (refusal) {
      if (!(refusal instanceof Refusal) || refusal.status !== 401) later();
    }
  }

  function heard() {
    clearTimeout(watch);
    watch = setTimeout(() => {
      online(false);
      connect();
    }, silence);
  }

  const wake = () => {
    if (source.readyState === EventSource.CLOSED) connect();
  };
  addEventListener("online", wake);
  document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && wake());
  connect();
}
