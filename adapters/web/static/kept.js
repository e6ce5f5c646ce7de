// What a page keeps in the browser.

// kept is sessionStorage, and localStorage for what is kept Long, or nothing
// where the browser forbids it. The page works without; it forgets more when it
// is reloaded.
export const kept = {
  get: (/** @type {string} */ key, /** @type {any} */ otherwise) => read(() => sessionStorage.getItem(key), otherwise),
  set: (/** @type {string} */ key, /** @type {unknown} */ value) => attempt(() => sessionStorage.setItem(key, JSON.stringify(value))),
  getLong: (/** @type {string} */ key, /** @type {any} */ otherwise) => read(() => localStorage.getItem("rackmate " + key), otherwise),
  setLong: (/** @type {string} */ key, /** @type {unknown} */ value) => attempt(() => localStorage.setItem("rackmate " + key, JSON.stringify(value))),
  // dropLong forgets what begins with a prefix, but for one key.
  dropLong: (/** @type {string} */ prefix, /** @type {string} */ but) => attempt(() => {
    for (const key of Object.keys(localStorage)) if (key.startsWith("rackmate " + prefix) && key !== "rackmate " + but) localStorage.removeItem(key);
  }),
};

/** @param {() => string | null} get @param {any} otherwise */
function read(get, otherwise) {
  try {
    return JSON.parse(get() ?? "null") ?? otherwise;
  } catch {
    return otherwise;
  }
}

/** attempt does what a browser may forbid. @param {() => unknown} f */
export function attempt(f) {
  try {
    f();
  } catch {
    // Forbidden, or full.
  }
}
