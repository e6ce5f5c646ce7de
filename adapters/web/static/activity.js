// The board in Discord's client. Discord gives this page a code, and our host finds
// out by it who that is, and in which channel; the table there is shown.

import { $, el, announce } from "./dom.js";
import { plain, refusal } from "./api.js";
import { open } from "./table.js";
import { connect, here } from "./frame.js";
import { say, translate } from "./say.js";
import "./settings.js";

let bearer = ""; // says who we are; it lives as long as the page

const table = open("", $("board"), {
  headers: () => (bearer ? { Authorization: "Bearer " + bearer } : /** @type {Record<string, string>} */ ({})),
  sight(sight) {
    const names = sight?.players.map((p) => p.name).join(" – ");
    $("none").hidden = sight !== null && sight.phase !== "over";
    $("game").hidden = !sight;
    document.title = names ?? "Rackmate";
    $("page-title").textContent = document.title;
  },
  said: tell,
  lost: (e) => stopped(e.message),
});

/** tell says what came of something, with what can be pressed next. @param {Reply} [reply] */
function tell(reply) {
  show(reply ? plain(reply) : "", reply?.refused);
  const next = (reply?.buttons ?? []).filter((b) => b.id && !b.link && !b.type);
  $("said-buttons").replaceChildren(...next.map((b) => el("button", { type: "button", class: `button ${b.style ?? ""}`, onclick: () => table.press(b.id ?? "") }, b.label)));
}

/** @param {string} text @param {boolean} [refused] */
function show(text, refused = false) {
  $("page-said").textContent = text;
  $("page-said").classList.toggle("bad", refused);
  if (text) announce(text);
}

/** stopped says why it doesn't go on, and offers to begin anew. @param {string} text */
function stopped(text) {
  if (text) show(text, true);
  $("retry").hidden = false;
}

$("retry").addEventListener("click", () => location.reload());

for (const [id, args] of /** @type {[string, Record<string, string>][]} */ ([["robot", { robots: "casual" }], ["open", {}]])) {
  $(id).addEventListener("click", async () => {
    tell(await table.give("new", args).catch(refusal));
  });
}

async function enter() {
  const { frame, instance } = here();
  if (!frame || !instance) return stopped(say("This board opens in Discord: choose Rackmate from the activities in a channel there."));
  try {
    const application = document.body.dataset.application ?? "";
    const discord = await connect(application);
    const { code } = await discord.command("AUTHORIZE", { client_id: application, response_type: "code", state: "", prompt: "none", scope: ["identify"] });
    ({ bearer } = await table.call("enter", { instance, code }, { tries: 1 }));
  } catch (e) {
    return stopped(plain(refusal(e)));
  }
  show("");
  table.start();
}

translate(document.body);
enter();
