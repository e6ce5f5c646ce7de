// The live connection: server-sent events, with reconnection when they stop.

import { call, soon, Refusal } from "./api.js";

const silence = 45000; // three of the room's heartbeats

/**
 * listen calls the handlers of events by name, and online(bool) when the connection is made or
 * lost.
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
      // The browser reconnects by itself after a broken connection, but gives up if the answer
      // isn't a stream.
      if (source.readyState === EventSource.CLOSED) later();
    };
  }

  function later() {
    clearTimeout(again);
    wait = Math.min(15000, wait * 2);
    again = setTimeout(ask, soon(wait));
  }

  // ask reconnects once the room answers and still knows the person. Otherwise the person is signed
  // out.
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
  // A page that the browser keeps for its back button would keep its connection too, and the browser
  // has six for all pages.
  addEventListener("pagehide", () => {
    clearTimeout(watch);
    clearTimeout(again);
    source.close();
  });
  addEventListener("pageshow", wake);
  document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && wake());
  connect();
}
