// The page begins here: it finds out who the person is, then shows the room or its door. The door
// needs little, and doesn't wait for the room's scripts.

import { translate } from "./say.js";
import { $, tile } from "./dom.js";
import { call } from "./api.js";
import { form } from "./form.js";
import { isHome } from "./nav.js";
import "./settings.js"; // applies the colours

/** @typedef {{ me: Person | null, commands: Command[], open?: boolean, push?: boolean }} Known */

async function begin() {
  /** @type {Promise<Known>} */
  const answer = call("me", undefined, { tries: Infinity });
  if (document.readyState === "loading") await new Promise((parsed) => document.addEventListener("DOMContentLoaded", parsed));
  translate(document.body);
  for (const logo of document.querySelectorAll(".logo")) logo.replaceChildren(...[..."RACKMATE"].map((c, i) => tile(c, "x" + i)));
  const away = setTimeout(() => ($("away").hidden = false), 1500);
  const known = await answer;
  clearTimeout(away);
  $("away").hidden = true;
  if (known.me) enter(known.me, known);
  else showEntry(known);
}

/** showEntry asks for a name. @param {Known} known */
function showEntry(known) {
  $("entry").hidden = false;
  $("entry-name").focus();
  const entered = (/** @type {Person} */ me) => {
    $("entry").hidden = true;
    $("entry-today").replaceChildren(); // one board at a time is in the document
    enter(me, known);
  };
  $("entry-today").hidden = !known.open || !isHome();
  if (!$("entry-today").hidden) import("./today.js").then(({ today }) => today($("entry-today"), { named: entered }), () => ($("entry-today").hidden = true));
  form("entry-form", "entry-error", async () => {
    const me = await call("enter", { name: $("entry-name").value });
    entered(me);
  });
}

/** enter opens the room once its scripts are loaded. @param {Person} me @param {Known} known */
const enter = (me, known) => import("./app.js").then((room) => room.enter(me, known), () => {
  $("away").hidden = false;
  setTimeout(() => location.reload(), 5000);
});

begin();
