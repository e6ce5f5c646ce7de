// Today's board, small enough for the home page and playable there.

import { announce, el, spans } from "./dom.js";
import { say } from "./say.js";
import { ask, plain } from "./api.js";
import { open } from "./table.js";

/** today shows today's board in an element. @param {HTMLElement} root */
export async function today(root) {
  const state = el("p", { class: "today-state" }), said = el("p", { class: "today-said", role: "status" }), tries = el("ol", { class: "today-tries", "aria-label": say("Your tries") }), box = el("div", { class: "board-box" });
  const way = el("a", { class: "today-way", href: "/d" }, say("Today's board"));
  root.append(el("h2", { id: "home-today", class: "h-w3" }, way, tries), state, box, said);
  let path;
  try {
    ({ path } = await ask("/d/today", {}, { tries: 3 }));
  } catch {
    root.hidden = true;
    return;
  }
  way.href = path;
  const table = open(path + "/", box, {
    still: true,
    sight(_, answer) {
      const day = /** @type {Daily} */ (answer);
      state.replaceChildren(...spans(day.state), ...(day.streak ? [" ", el("b", { class: "streak" }, day.streak)] : []));
      tries.replaceChildren(...(day.tries ?? []).map((t) => el("li", { class: "band b" + t.level, title: `${t.play} ${t.score}: ${t.band}` }, el("span", { class: "unseen" }, `${t.play} ${t.score}: ${t.band}`))));
    },
    said(reply) {
      said.textContent = reply?.text ? plain(reply).split("\n")[0] : "";
      said.classList.toggle("bad", Boolean(reply?.refused));
      announce(said.textContent);
    },
    lost: () => (root.hidden = true),
  });
  table.start();
}
