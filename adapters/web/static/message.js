// Drawing messages: the same for people's messages, the host's posts and its private answers.

import { say, locale } from "./say.js";
import { el, icon, tile, hostTile, clock, isolate } from "./dom.js";
import { theme } from "./settings.js";
import { more } from "./more.js";
import { store, nameOf, mentionsMe, stream, title } from "./store.js";

/**
 * text draws a message's spans. The host's sentences keep their direction, whatever words they
 * quote; people's messages take theirs from the first letter.
 * @param {Span[]} spans @param {boolean} hosts
 */
function text(spans, hosts) {
  const box = el("div", { class: "text", dir: "auto" });
  for (const s of spans) {
    const called = s.person && store.people.get(s.person)?.name; // current name, whatever it was then
    const words = called ? (s.text.startsWith("@") ? "@" : "") + called : s.time ? new Date(s.time).toLocaleString(locale, { dateStyle: "medium", timeStyle: "short" }) : s.text;
    /** @type {Node} */
    let node = document.createDocumentFragment();
    /** @type {DocumentFragment} */ (node).append(...(hosts ? isolate(words) : linked(words)));
    if (s.time) node = el("time", { datetime: new Date(s.time).toISOString() }, node);
    // A link into this room stays in this page, under whatever host name it was written.
    if (s.link && /^https?:/.test(s.link)) node = s.link.includes("/#") ? el("a", { href: s.link.slice(s.link.indexOf("/#")) }, node) : el("a", { href: s.link, target: "_blank", rel: "noopener noreferrer" }, node);
    if (s.code && s.text.includes("\n")) node = el("pre", { tabindex: "0", "aria-label": say("Text in columns") }, el("code", {}, node));
    else if (s.code) node = el("code", {}, node);
    if (s.small) node = el("small", {}, node);
    if (s.strong) node = el("strong", {}, node);
    if (s.person) node = el("bdi", { class: "name" + (s.notify ? " notify" : "") + (s.person === store.me.id ? " you" : "") }, node);
    box.append(node);
  }
  return box;
}

/** linked turns addresses in a person's message into links. Links into this room stay in this page. @param {string} words */
const linked = (words) => words.split(/(https?:\/\/[^\s<>"]*[^\s<>".,;:!?)\]'])/).map((part, i) => {
  if (i % 2 === 0) return part;
  const inside = part.startsWith(location.origin + "/") ? part.slice(location.origin.length) : "";
  return inside ? el("a", { href: inside }, part) : el("a", { href: part, target: "_blank", rel: "noopener noreferrer nofollow" }, part);
}).filter((part) => part !== "");

/** picture draws a picture that can be enlarged, or its text if there is no picture. @param {Picture} p @param {(img: HTMLImageElement) => void} enlarge */
function picture(p, enlarge) {
  if (!p.src) return el("p", { class: "text" }, p.alt);
  const img = el("img", { src: (theme() === "dark" && p.dark) || p.src, alt: p.alt, decoding: "async", draggable: "false" });
  const frame = el("button", { type: "button", class: "picture" + ((p.width ?? 0) > (p.height ?? 0) * 4 ? " wide" : ""), title: say("Enlarge"), onclick: () => enlarge(img) }, img);
  // The picture's place is reserved before it loads, so that the layout doesn't jump.
  const room = (/** @type {number} */ w, /** @type {number} */ h) => frame.style.setProperty("--ratio", String(w / h));
  if (p.width && p.height) room(p.width, p.height);
  else img.onload = () => room(img.naturalWidth, img.naturalHeight);
  return frame;
}

/** buttons draws a message's buttons; press receives the button and its element. @param {Button[]} list @param {(b: Button, node: HTMLElement) => void} press */
function buttons(list, press) {
  return el("div", { class: "buttons" }, ...list.map((b) => {
    if (b.link?.startsWith("/")) return el("a", { class: "button small " + (b.style ?? ""), href: b.link }, b.label); // a page of ours
    if (b.link) return /^https?:/.test(b.link) && el("a", { class: "button small " + (b.style ?? ""), href: b.link, target: "_blank", rel: "noopener" }, b.label);
    if (b.ask) return asking(b, press);
    /** @type {HTMLElement} */
    const node = el("button", { type: "button", class: "button small " + (b.style ?? ""), onclick: () => press(b, node) }, b.label);
    return node;
  }));
}

/** filled returns a button's or menu's id with the value that it lacks. @param {string} id @param {string} value */
const filled = (id, value) => id.replace(/=(?=&|$)/, "=" + encodeURIComponent(value));

/** asking draws a button with a field for the value that it lacks. @param {Button} b @param {(b: Button, node: HTMLElement) => void} press */
function asking(b, press) {
  const field = el("input", { "aria-label": b.label, autocomplete: "off", required: "" });
  const form = el("form", { class: "ask" }, field, el("button", { type: "submit", class: "button small " + (b.style ?? "") }, b.label));
  form.addEventListener("submit", (sent) => {
    sent.preventDefault();
    press({ label: b.label, id: filled(b.id ?? "", field.value.trim()) }, form);
  });
  return form;
}

/** menus draws an answer's menus; a choice counts at once. @param {Menu[]} list @param {(b: Button, node: HTMLElement) => void} press */
function menus(list, press) {
  return el("div", { class: "menus" }, ...list.map((m) => {
    const node = el("select", { "aria-label": m.label }, el("option", { value: "" }, m.label), ...m.choices.map((c) => el("option", { value: c.value }, c.label)));
    node.addEventListener("change", () => node.value && press({ label: m.label, id: filled(m.id, node.value) }, node));
    return node;
  }));
}

/** @param {SavedFile[]} list */
function files(list) {
  return el("div", { class: "files" }, ...list.map((f) => {
    const bytes = Uint8Array.from(atob(f.data), (c) => c.charCodeAt(0));
    const link = URL.createObjectURL(new Blob([bytes], { type: f.type }));
    return el("a", { class: "file", href: link, download: f.name }, icon("file"), f.name);
  }));
}

// pictures draws the files that are pictures, such as a game's replay.
const pictures = (/** @type {SavedFile[]} */ files, /** @type {(img: HTMLImageElement) => void} */ enlarge) => files.filter((f) => f.type.startsWith("image/"))
  .map((f) => picture({ src: `data:${f.type};base64,${f.data}`, alt: f.name }, enlarge));

/** body returns a message's text, picture, files and buttons. @param {Reply & { table?: number }} m @param {Does} does @param {boolean} [live] @returns {HTMLElement[]} */
export function body(m, does, live = true) {
  return [
    m.text.length > 0 ? text(m.text, !m.from) : null,
    m.picture ? picture(m.picture, does.enlarge) : null,
    ...pictures(m.files ?? [], does.enlarge),
    m.files ? files(m.files) : null,
    live && m.menus ? menus(m.menus, (b, node) => does.press(m, b, node)) : null,
    live && m.buttons ? buttons(m.buttons, (b, node) => does.press(m, b, node)) : null,
  ].filter((part) => part !== null);
}

/** @param {number} ms */
function when(ms) {
  return el("time", { datetime: new Date(ms).toISOString(), title: new Date(ms).toLocaleString(locale) }, clock(ms));
}

// message draws a message of a stream.
//
/**
 * together leaves out the name if the previous message is by the same person. live tells whether
 * the buttons still work. Beside a board that shows the table, a post is folded to its line, or
 * shown without picture and buttons.
 * @param {Message} m @param {{ together: boolean, live: boolean, does: Does, folded?: boolean, bare?: boolean }} how @returns {HTMLElement}
 */
export function message(m, { together, live, does, folded, bare }) {
  const name = nameOf(m.from);
  if (folded) {
    const line = el("li", { class: "message folded", "data-number": m.number }, el("span", { class: "aside" }, when(m.at)),
      el("p", { class: "said" }, el("button", { type: "button", class: "fold", "aria-expanded": "false", onclick: () => {
        const open = message(m, { together: false, live, does });
        line.replaceWith(open);
        open.querySelector("button")?.focus();
      } }, ...text(m.line ?? [], !m.from).childNodes)));
    return line;
  }
  return el("li", { class: "message" + (together ? " together" : "") + (mentionsMe(m) ? " mention" : ""), "data-number": m.number },
    together ? el("span", { class: "aside" }, when(m.at)) : m.from ? tile(name, m.from.id) : hostTile(),
    el("div", { class: "said" },
      el("p", { class: "who" + (together ? " unseen" : "") },
        el("b", {}, el("bdi", {}, name)),
        !m.from && el("span", { class: "tag" }, say("host")),
        m.about && el("a", { class: "about", href: "/#" + m.about }, say("in {place}", { place: title(stream(m.about)) })),
        !together && when(m.at)),
      ...body(bare ? { ...m, picture: null, buttons: null } : m, does, live)), more(m) || "");
}

/** pending draws a message that is being sent. @param {Pending} p */
export function pending(p) {
  return el("li", { class: "message pending" }, tile(store.me.name, store.me.id),
    el("div", { class: "said" },
      el("p", { class: "who" }, el("b", {}, el("bdi", {}, store.me.name)), el("span", { class: "quiet" }, say("sending…"))),
      el("div", { class: "text", dir: "auto" }, p.text)));
}

/** answer draws a private answer. @param {Answer} a @param {Does} does */
export function answer(a, does) {
  return el("li", { class: "message answer" + (a.message.refused ? " refused" : "") }, hostTile(),
    el("div", { class: "said" },
      el("p", { class: "who" }, el("b", {}, "Rackmate"), a.command && el("code", { class: "asked" }, a.command)),
      ...body(a.message, does),
      el("p", { class: "private" }, icon("lock"), el("span", {}, say("Only you can see this")), " · ",
        el("button", { type: "button", class: "link", onclick: () => does.dismiss(a) }, say("Dismiss")))));
}
