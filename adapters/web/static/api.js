// Asking the host. What changes something carries an id that stays the same
// when it is asked again, so asking again is always safe.

import { say, tongue } from "./say.js";

// A Refusal is the host's kind no, or that it couldn't be reached.
export class Refusal extends Error {
  /** @param {string} text @param {number} status */
  constructor(text, status) {
    super(text);
    this.status = status;
  }
}

/** refusal is what went wrong as the host would answer it. @param {unknown} e @returns {Reply} */
export const refusal = (e) => ({ text: [{ text: e instanceof Error ? e.message : String(e) }], refused: true });

/** plain are an answer's words. @param {Reply} m */
export const plain = (m) => m.text.map((s) => s.text).join("");

// newID makes an id for something asked.
export function newID() {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  return Array.from(bytes, (b) => b.toString(16).padStart(2, "0")).join("");
}

/** @param {number} ms */
export const pause = (ms) => new Promise((done) => setTimeout(done, ms));

/** soon is a time about as long, so that not everybody comes back at once. @param {number} ms */
export const soon = (ms) => ms * (0.7 + 0.6 * Math.random());

/**
 * ask asks an address of the host for its answer; a body is posted to it as JSON.
 * When the host can't be reached it tries again for as long as tries lasts
 * (Infinity: for ever).
 * @param {string} url @param {unknown} [body] @param {{ tries?: number, headers?: Record<string, string> }} [how] @returns {Promise<any>}
 */
export async function ask(url, body, { tries = 4, headers = {} } = {}) {
  for (let n = 1; ; n++) {
    /** @type {Response | null} */
    let response = null;
    let answer;
    try {
      response = await fetch(url, {
        method: body === undefined ? "GET" : "POST",
        headers: { "Accept-Language": tongue, ...(body !== undefined && { "Content-Type": "application/json" }), ...headers },
        body: body === undefined ? undefined : JSON.stringify(body),
        signal: AbortSignal.timeout?.(20000),
      });
      answer = await response.json();
    } catch {
      response = null;
    }
    if (response?.ok) return answer;
    // A proxy in front of a host that is being restarted answers in its own
    // words.
    const away = !response || response.status >= 502;
    if (!away || n >= tries) throw new Refusal(answer?.error ?? say("The host can't be reached just now. Please try again in a moment."), response?.status ?? 0);
    await pause(soon(Math.min(8000, 250 * 2 ** n)));
  }
}

/**
 * call asks the room, which may not know us any more.
 * @param {string} path @param {unknown} [body] @param {{ tries?: number }} [how] @returns {Promise<any>}
 */
export const call = (path, body, how) => ask("/api/" + path, body, how).catch((refusal) => {
  if (refusal.status === 401) dispatchEvent(new Event("signed-out"));
  throw refusal;
});
