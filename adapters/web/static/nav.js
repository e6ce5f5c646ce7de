// Where one is, as the address says: a conversation (/#general, /#general/12 with a
// message), a game (/g/KEY), or home (/).

/** where is what the address names. */
export function where() {
  const [id, number] = decodeURIComponent(location.hash.slice(1)).split("/");
  const [, game = ""] = /^\/g\/([^/]+)$/.exec(location.pathname) ?? [];
  return { id, number: Number(number) || 0, game: id ? "" : game };
}

/** go turns to an address. @param {string} to */
export function go(to) {
  const now = location.pathname + location.hash;
  if (to !== now) history.pushState(null, "", to);
  dispatchEvent(new Event("moved"));
}

/** stands gives what is in view its address. @param {string} to */
export function stands(to) {
  if (to !== location.pathname + location.hash) history.replaceState(null, "", to);
}

/** follows calls f wherever one goes: by go, by a link, by the browser's own buttons. @param {() => void} f */
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
