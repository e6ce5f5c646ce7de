// Navigation by address: a conversation (/#general, or /#general/12 for a message), a game
// (/g/KEY), or the home page (/).

/** where returns what the address names, and whether it was opened for its board rather than its messages. */
export function where() {
  const [id, number] = decodeURIComponent(location.hash.slice(1)).split("/");
  const [, game = ""] = /^\/g\/([^/]+)$/.exec(location.pathname) ?? [];
  return { id, number: Number(number) || 0, game: id ? "" : game, board: !id || Boolean(history.state?.board) };
}

/** isHome reports whether the address is the home page's. */
export const isHome = () => {
  const { id, game } = where();
  return !id && !game;
};

/** go opens an address, for its board if board is set. @param {string} to @param {{ board?: boolean }} [how] */
export function go(to, { board = false } = {}) {
  const now = location.pathname + location.hash;
  if (to !== now) history.pushState(board ? { board } : null, "", to);
  dispatchEvent(new Event("moved"));
}

/** stands gives the current view its address. @param {string} to */
export function stands(to) {
  if (to !== location.pathname + location.hash) history.replaceState(null, "", to);
}

/** follows calls f after each navigation: by go, by a link, or by the browser's buttons. @param {() => void} f */
export function follows(f) {
  for (const kind of ["moved", "popstate", "hashchange"]) addEventListener(kind, f);
  document.addEventListener("click", (e) => {
    const link = /** @type {HTMLElement} */ (e.target).closest?.("a[href]");
    if (!link || e.defaultPrevented || e.button || e.ctrlKey || e.metaKey || e.shiftKey || e.altKey || link.getAttribute("target")) return;
    const to = link.getAttribute("href") ?? "";
    if (to !== "/" && !/^\/?#|^\/g\/[^/]+$/.test(to)) return;
    e.preventDefault();
    go(to.startsWith("#") ? "/" + to : to);
  });
}
