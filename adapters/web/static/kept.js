// Data that a page keeps in the browser.

// kept stores values in sessionStorage, or with Long in localStorage. If the browser forbids that,
// it stores nothing; the page still works, but forgets more on a reload.
export const kept = {
  get: (/** @type {string} */ key, /** @type {any} */ otherwise) => read(() => sessionStorage.getItem(key), otherwise),
  set: (/** @type {string} */ key, /** @type {unknown} */ value) => attempt(() => sessionStorage.setItem(key, JSON.stringify(value))),
  getLong: (/** @type {string} */ key, /** @type {any} */ otherwise) => read(() => localStorage.getItem("rackmate " + key), otherwise),
  setLong: (/** @type {string} */ key, /** @type {unknown} */ value) => attempt(() => localStorage.setItem("rackmate " + key, JSON.stringify(value))),
  // dropLong removes the keys with a prefix, except one.
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

/** attempt runs a function that the browser may forbid. @param {() => unknown} f */
export function attempt(f) {
  try {
    f();
  } catch {
    // Forbidden, or full.
  }
}
