// The service worker: it shows notifications, and opens the page while the room can't be reached.
// It keeps the page's own files, but no data of games.

const SHELL = "shell-1";
const FILES = ["/", "/static/aleo.woff2", "/static/api.js", "/static/app.js", "/static/begin.js", "/static/board.css", "/static/board.js", "/static/callback.js", "/static/choice.js", "/static/choices.js", "/static/composer.js", "/static/controls.js", "/static/curve.js", "/static/dom.js", "/static/door.js", "/static/drag.js", "/static/ending.js", "/static/firsttry.js", "/static/form.js", "/static/game.js", "/static/games.js", "/static/give.js", "/static/hand.js", "/static/home.css", "/static/home.js", "/static/icon-192.png", "/static/icon.svg", "/static/invitation.js", "/static/kept.js", "/static/keys.js", "/static/live.js", "/static/message.js", "/static/mini.js", "/static/more.js", "/static/motion.js", "/static/nav.js", "/static/new.js", "/static/newcard.js", "/static/order.css", "/static/order.js", "/static/play.js", "/static/players.js", "/static/rack.js", "/static/review.js", "/static/room.webmanifest", "/static/say.js", "/static/settings.js", "/static/side.js", "/static/squares.js", "/static/store.js", "/static/story.js", "/static/stream.js", "/static/style.css", "/static/table.js", "/static/today.js", "/static/welcome.js", "/static/zoom.js"];

const worker = /** @type {ServiceWorkerGlobalScope} */ (/** @type {unknown} */ (self));

worker.addEventListener("install", (e) => {
  e.waitUntil(caches.open(SHELL).then((cache) => cache.addAll(FILES)).then(() => worker.skipWaiting()));
});

worker.addEventListener("activate", (e) => {
  e.waitUntil(caches.keys().then((all) => Promise.all(all.filter((name) => name !== SHELL).map((name) => caches.delete(name)))).then(() => worker.clients.claim()));
});

// Load from the room, and fall back to the kept files if it can't be reached.
worker.addEventListener("fetch", (e) => {
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

worker.addEventListener("push", (e) => {
  const { title, body, url, tag } = e.data?.json() ?? {};
  e.waitUntil(worker.registration.showNotification(title, /** @type {NotificationOptions} */ ({ body, tag, data: { url }, icon: "/static/icon-192.png", renotify: true })));
});

worker.addEventListener("notificationclick", (e) => {
  e.notification.close();
  const { url } = e.notification.data;
  e.waitUntil(worker.clients.matchAll({ type: "window" }).then(async (all) => {
    const open = all.find((c) => new URL(c.url).pathname === "/");
    if (!open) return void (await worker.clients.openWindow(url));
    await open.focus();
    open.postMessage({ go: url });
  }));
});
