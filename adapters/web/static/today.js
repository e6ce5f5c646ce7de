// Today's board, small enough for the home page and playable there.

import { announce, el, spans } from "./dom.js";
import { say } from "./say.js";
import { ask, pause, plain, Refusal, soon } from "./api.js";
import { open } from "./table.js";
import { asksName } from "./firsttry.js";

/**
 * today shows today's board in an element. A stranger may try once. If they then give a name, their
 * try is kept, and named is called with the new person. In a frame headers identify the person, and
 * there is no page to lead to.
 * @param {HTMLElement} root @param {{ named?: (me: Person) => void, headers?: () => Record<string, string> }} [how]
 */
export async function today(root, { named, headers } = {}) {
  const state = el("p", { class: "today-state" }), said = el("p", { class: "today-said", role: "status" }), tries = el("ol", { class: "today-tries", "aria-label": say("Your tries") }), box = el("div", { class: "board-box" });
  const way = el(headers ? "span" : "a", { class: "today-way" }, say("Today's board"));
  const asked = el("div");
  root.append(el("h2", { id: "home-today", class: "h-w3" }, way, tries), state, box, said, asked);
  /** @type {Daily | undefined} */
  let day;
  let path, first;
  while (!path) {
    try {
      ({ path, table: first } = await ask("/d/today", {}, { tries: Infinity, headers: headers?.() }));
    } catch (e) {
      if (!(e instanceof Refusal) || e.status !== 429) {
        root.hidden = true;
        return;
      }
      await pause(soon(2000)); // the host is busy
    }
  }
  if (!headers) way.setAttribute("href", path);
  const table = open(path + "/", box, {
    still: true,
    first,
    headers,
    sight(_, answer) {
      day = /** @type {Daily} */ (answer);
      state.replaceChildren(...spans(day.state), ...(day.streak ? [" ", el("b", { class: "streak" }, day.streak)] : []));
      tries.replaceChildren(...(day.tries ?? []).map((t) => el("li", { class: "band b" + t.level, title: `${t.play} ${t.score}: ${t.band}` }, el("span", { class: "unseen" }, `${t.play} ${t.score}: ${t.band}`))));
    },
    said(reply, request) {
      said.textContent = reply?.text ? plain(reply).split("\n")[0] : "";
      said.classList.toggle("bad", Boolean(reply?.refused));
      announce(said.textContent);
      if (!day?.stranger || !named || reply.refused || !request) return;
      asksName(asked, async (me) => {
        await table.give("daily", request.args);
        named(me);
      });
    },
    lost: () => (root.hidden = true),
  });
  table.start();
}
