// What a page keeps in the browser.

// kept is sessionStorage, and localStorage for what is kept Long, or nothing
// where the browser forbids it. The page works without; it forgets more when it
// is reloaded.
export const kept = {
  get: (key, otherwise) => read(() => sessionStorage.getItem(key), otherwise),
  set: (key, value) => attempt(() => sessionStorage.setItem(key, JSON.stringify(value))),
  getLong: (key, otherwise) => read(() => localStorage.getItem("rackmate " + key), otherwise),
  setLong: (key, value) => attempt(() => localStorage.setItem("rackmate " + key, JSON.stringify(value))),
  // dropLong forgets what begins with a prefix, but for one key.
  dropLong: (prefix, but) => attempt(() => {
    for (const key of Object.keys(localStorage)) if (key.startsWith("rackmate " + prefix) && key !== "rackmate " + but) localStorage.removeItem(key);
  }),
};

function read(get, otherwise) {
  try {
    return JSON.parse(get()) ?? otherwise;
  } catch {
    return otherwise;
  }
}

// attempt does what a browser may forbid.
export function attempt(f) {
  try {
    f();
  } catch {
    // Forbidden, or full.
  }
}
