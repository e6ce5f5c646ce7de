// Requests to the host. A request that changes something has an id that stays the same when it is
// repeated, so a retry is always safe.

import { say, language } from "./say.js";

// A Refusal is a refusal by the host, or the failure to reach it.
export class Refusal extends Error {
  /** @param {string} text @param {number} status */
  constructor(text, status) {
    super(text);
    this.status = status;
  }
}

/** refusal returns an error as an answer of the host. @param {unknown} e @returns {Reply} */
export const refusal = (e) => ({ text: [{ text: e instanceof Error ? e.message : String(e) }], refused: true });

/** plain returns an answer's text. @param {Reply} m */
export const plain = (m) => m.text.map((s) => s.text).join("");

// newID returns a new request id.
export function newID() {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  return Array.from(bytes, (b) => b.toString(16).padStart(2, "0")).join("");
}

/** @param {number} ms */
export const pause = (ms) => new Promise((done) => setTimeout(done, ms));

/** soon returns a delay of about the same length, randomized so that clients don't all retry at once. @param {number} ms */
export const soon = (ms) => ms * (0.7 + 0.6 * Math.random());

/**
 * ask sends a request to the host and returns its answer; a body is posted as JSON. If the host
 * can't be reached, ask retries until it has tried as often as tries says (Infinity: forever).
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
        headers: { "Accept-Language": language, ...(body !== undefined && { "Content-Type": "application/json" }), ...headers },
        body: body === undefined ? undefined : JSON.stringify(body),
        signal: AbortSignal.timeout?.(20000),
      });
      answer = await response.json();
    } catch {
      response = null;
    }
    if (response?.ok) return answer;
    // A proxy before a host that is restarting answers with a page of its own.
    const away = !response || response.status >= 502;
    if (!away || n >= tries) throw new Refusal(answer?.error ?? say("The host can't be reached just now. Please try again in a moment."), response?.status ?? 0);
    await pause(soon(Math.min(8000, 250 * 2 ** n)));
  }
}

/**
 * call sends a request to the room, and signals if the room no longer knows us.
 * @param {string} path @param {unknown} [body] @param {{ tries?: number }} [how] @returns {Promise<any>}
 */
export const call = (path, body, how) => ask("/api/" + path, body, how).catch((refusal) => {
  if (refusal.status === 401) dispatchEvent(new Event("signed-out"));
  throw refusal;
});
