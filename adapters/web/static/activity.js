// The board in Discord's client. Discord gives this page a code, and our host finds
// out by it who that is, and in which channel; the table there is shown.

import { $, el, announce } from "./dom.js";
import { open } from "./table.js";
import { connect, here } from "./frame.js";
import { say, translate } from "./say.js";
import "./settings.js";

let bearer = ""; // says who we are; it lives as long as the page

const table = open("", $("board"), {
  headers: () => (bearer ? { Authorization: "Bearer " + bearer } : {}),
  sight(sight) {
    $("none").hidden = Boolean(sight) && sight.phase !== "over";
    $("game").hidden = !sight;
    document.title = sight ? sight.players.map((p) => p.name).join(" – ") : "Rackmate";
    $("page-title").textContent = document.title;
  },
  said: tell,
  lost: (e) => stopped(e.message),
});

// tell says what came of something, with what can be pressed next.
function tell(reply) {
  show((reply?.text ?? []).map((t) => t.text).join(""), reply?.refused);
  const next = (reply?.buttons ?? []).filter((b) => b.id && !b.link && !b.type);
  $("said-buttons").replaceChildren(...next.map((b) => el("button", { type: "button", class: `button ${b.style ?? ""}`, onclick: () => table.press(b.id) }, b.label)));
}

function show(text, refused = false) {
  $("page-said").textContent = text;
  $("page-said").classList.toggle("bad", refused);
  if (text) announce(text);
}

// stopped says why it doesn't go on, and offers to begin anew.
function stopped(text) {
  if (text) show(text, true);
  $("retry").hidden = false;
}

$("retry").addEventListener("click", () => location.reload());

for (const [id, args] of [["robot", { robots: "casual" }], ["open", {}]]) {
  $(id).addEventListener("click", async () => {
    tell(await table.give("new", args).catch((e) => ({ text: [{ text: e.message }], refused: true })));
  });
}

async function enter() {
  const { frame, instance } = here();
  if (!frame || !instance) return stopped(say("This board opens in Discord: choose Rackmate there among the activities of a channel."));
  try {
    const application = document.body.dataset.application;
    const discord = await connect(application);
    const { code } = await discord.command("AUTHORIZE", { client_id: application, response_type: "code", state: "", prompt: "none", scope: ["identify"] });
    ({ bearer } = await table.call("enter", { instance, code }, { tries: 1 }));
  } catch (e) {
    return stopped(e.message);
  }
  show("");
  table.start();
}

translate(document.body);
enter();
