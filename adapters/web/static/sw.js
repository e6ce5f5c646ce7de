// The service worker: it shows notifications, and opens the page while the room can't be reached.
// It keeps the page's own files, but no data of games.

const SHELL = "shell-1";
const FILES = ["/", "/static/aleo.woff2", "/static/board.css", "/static/door.js", "/static/home.css", "/static/icon-192.png", "/static/icon.svg", "/static/order.css", "/static/room.webmanifest", "/static/style.css"];

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
