// The service worker: it calls the person back, and lets the page open while the
// room can't be reached. It keeps the page's own files, and nothing of any game.

const SHELL = "shell-1";
const FILES = ["/", "/static/api.js", "/static/app.js", "/static/board.css", "/static/board.js", "/static/callback.js", "/static/composer.js", "/static/dom.js", "/static/game.js", "/static/icon.svg", "/static/kept.js", "/static/live.js", "/static/message.js", "/static/new.js", "/static/order.css", "/static/order.js", "/static/play.js", "/static/rack.js", "/static/room.webmanifest", "/static/say.js", "/static/settings.js", "/static/side.js", "/static/store.js", "/static/stream.js", "/static/style.css", "/static/welcome.js"];

addEventListener("install", (e) => {
  e.waitUntil(caches.open(SHELL).then((cache) => cache.addAll(FILES)).then(() => skipWaiting()));
});

addEventListener("activate", (e) => {
  e.waitUntil(caches.keys().then((all) => Promise.all(all.filter((name) => name !== SHELL).map((name) => caches.delete(name)))).then(() => clients.claim()));
});

// The room first, and what is kept where it can't be reached.
addEventListener("fetch", (e) => {
  const { pathname, origin } = new URL(e.request.url);
  if (e.request.method !== "GET" || origin !== location.origin || !FILES.includes(pathname)) return;
  e.respondWith(fetch(e.request).then((response) => {
    if (response.ok && !response.redirected) {
      const copy = response.clone();
      e.waitUntil(caches.open(SHELL).then((cache) => cache.put(pathname, copy)));
    }
    return response;
  }).catch(() => caches.match(pathname).then((kept) => kept ?? Response.error())));
});

addEventListener("push", (e) => {
  const { title, body, url, tag } = e.data.json();
  e.waitUntil(registration.showNotification(title, { body, tag, data: { url }, icon: "/static/icon.svg", renotify: true }));
});

addEventListener("notificationclick", (e) => {
  e.notification.close();
  const { url } = e.notification.data;
  e.waitUntil(clients.matchAll({ type: "window" }).then(async (all) => {
    const open = all.find((c) => new URL(c.url).pathname === "/");
    if (!open) return clients.openWindow(url);
    await open.focus();
    open.postMessage({ go: url });
  }));
});
