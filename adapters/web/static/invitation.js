// A link for a friend, with a picture of it for a phone's camera.

import { announce, el } from "./dom.js";
import { say } from "./say.js";
import { call, plain, refusal } from "./api.js";
import { give } from "./give.js";

/** alone reports whether only this computer can open an address. @param {string} url */
const alone = (url) => /^(localhost|127\.|\[::1\])/.test(new URL(url, location.href).hostname);

/** invitation makes a link to a game with some options of /new, shares it, and returns what to show. @param {Record<string, string>} options */
export async function invitation(options) {
  try {
    const { link: url, size, path } = await call("friend", { options });
    const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg"), dark = document.createElementNS("http://www.w3.org/2000/svg", "path");
    svg.setAttribute("viewBox", `-2 -2 ${size + 4} ${size + 4}`);
    svg.setAttribute("class", "qr");
    svg.setAttribute("role", "img");
    svg.setAttribute("aria-label", say("The link as a picture, for a phone's camera"));
    dark.setAttribute("d", path);
    svg.append(dark);
    const said = await give(url);
    announce(said);
    return el("div", { class: "invitation" }, el("p", {}, say("Send this link. Whoever opens it gives a name and plays with you at once.")), said.includes(url) ? "" : el("code", {}, url), alone(url) ? el("p", {}, say("This link works on this computer only. Start Rackmate with {flags} to let others in.", { flags: "--listen :8080 --host NAME" })) : "", svg, el("p", { class: "quiet" }, said));
  } catch (e) {
    const why = plain(refusal(e));
    announce(why);
    return el("p", { class: "error" }, why);
  }
}
