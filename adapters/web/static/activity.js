// The board in Discord's client. Discord gives this page a code, from which our host finds out the
// person and the channel. The page shows the channel's table, or the one that a link leads to.

import { $, el, find, announce } from "./dom.js";
import { ask, pause, plain, Refusal, refusal, soon } from "./api.js";
import { open } from "./table.js";
import { connect, here } from "./frame.js";
import { layout } from "./layout.js";
import { people } from "./people.js";
import { say, speak, translate } from "./say.js";
import "./settings.js";

const application = document.body.dataset.application ?? "";
const { frame, instance, phone, custom, referrer } = here();
const present = people($("people"));

let bearer = ""; // identifies us to our host; lives as long as the page
let access = ""; // Discord's access token
/** @type {ReturnType<typeof open>} */
let table;
/** @type {Client} */
let discord;
/** headers identify us to our host. @returns {Record<string, string>} */
const headers = () => (bearer ? { Authorization: "Bearer " + bearer } : {});
let [, turn] = custom.split(".").map(Number); // the turn of a link, until it is shown

/** begin shows the table once the language is known. */
function begin() {
  table = open("", $("board"), {
    headers,
    sight: shown,
    said: tell,
    lost: (e) => stopped(e.message),
    face: present.at,
    share: async () => (await share(), ""),
  });
  /** @type {HTMLDetailsElement} */ (find(".story")).open = document.body.dataset.layout === "wide";
  table.start();
}

/** @param {Sight | null} sight @param {any} answer */
function shown(sight, answer) {
  present.sit(sight && (answer.seats ?? {}));
  const names = sight?.players.map((p) => p.name).join(" – ");
  const idle = sight === null || sight.phase === "over";
  if ($("none").hidden === idle) {
    $("none").hidden = !idle;
    if (idle) lobby();
  }
  $("none-said").hidden = sight !== null;
  daily(sight === null);
  $("game").hidden = !sight;
  $("around").hidden = false;
  $("share").hidden = !sight || sight.phase === "lobby";
  document.title = names ?? "Rackmate";
  $("page-title").textContent = document.title;
  const last = sight?.turns.findLast((t) => t.player);
  $("last-word").replaceChildren(...(last ? [el("bdi", {}, last.player ?? ""), el("b", {}, last.text), last.score ? el("span", {}, "+" + last.score) : ""] : [sight?.caption ?? ""]));
  if (sight && turn > 0 && !sight.own?.turn) {
    const to = turn;
    queueMicrotask(() => table.board.look?.(to)); // the board is drawn by then
  }
  turn = 0;
}

/** tell shows an answer with its buttons. @param {Reply} [reply] */
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

/** stopped shows why the page can't go on, with a button to start again. @param {string} text */
function stopped(text) {
  if (text) show(text, true);
  $("retry").hidden = false;
}

$("retry").addEventListener("click", () => location.reload());

// ---- other tables

/** turnTo shows another of the player's games; 0 is the channel's. @param {number} to */
async function turnTo(to) {
  ({ bearer } = await table.call("turn", { table: to }));
  show("");
  return table.anew();
}

// ---- the lobby, while there is no game here

/** A game of the lobby's lists. @typedef {{ table: number, turn?: boolean, text: string, join?: string }} Line */

/** lobby lists the tables that wait for players, and the player's games. */
async function lobby() {
  together();
  try {
    /** @type {{ games: Line[], waiting: Line[] }} */
    const all = await table.call("lobby", {});
    const goTo = (/** @type {Line} */ g) => turnTo(g.table).catch((e) => tell(refusal(e)));
    const line = (/** @type {Line} */ g, /** @type {() => unknown} */ onclick) => el("li", {}, el("button", { type: "button", class: "button" + (g.turn || g.join ? " primary" : ""), onclick }, g.text));
    $("waiting").replaceChildren(...all.waiting.map((g) => line(g, async () => {
      if (g.join) await table.press(g.join);
      await goTo(g);
    })));
    $("games").replaceChildren(...all.games.map((g) => line(g, () => goTo(g))));
  } catch {
    // The games can also be reached from their channels.
  }
}

/** together offers to play with the people present, if there are any. */
function together() {
  $("together").hidden = present.count() < 2;
  $("robot").classList.toggle("primary", present.count() < 2);
}

/** daily shows today's board, or removes it: only one board is in the document. @param {boolean} shows */
async function daily(shows) {
  const root = $("today");
  if (!shows) return root.replaceChildren();
  if (root.hasChildNodes() || root.dataset.loading) return;
  root.dataset.loading = "yes";
  const { today } = await import("./today.js");
  delete root.dataset.loading;
  if (!$("game").hidden) return;
  await today(root, { headers });
}

for (const [id, args] of /** @type {[string, () => Record<string, string>][]} */ ([
  ["together", () => ({ seats: String(Math.min(4, present.count())) })], ["robot", () => ({ robots: "casual" })], ["open", () => ({})],
])) {
  $(id).addEventListener("click", async () => {
    try {
      await turnTo(0);
      tell(await table.give("new", args()));
    } catch (e) {
      tell(refusal(e));
    }
  });
}

// ---- sharing

/** share makes Discord's client offer a link to this table: to the turn shown, or for a finished game with its final board. */
async function share() {
  try {
    const back = table.board.back?.() ?? -1;
    const made = await table.call("share", { access, turn: Math.max(0, back) });
    await discord.command("SHARE_LINK", { message: made.message, custom_id: made.custom, ...(made.link && { link_id: made.link }) });
  } catch (e) {
    tell(e instanceof Refusal ? refusal(e) : refusal(say("Discord can't share this here. A newer app may.")));
  }
}

$("share").addEventListener("click", share);

// ---- coming in

/** enter exchanges Discord's code for our bearer. It retries while the host is busy. @param {string} code */
async function enter(code) {
  for (let tries = 1; ; tries++) {
    try {
      return await ask("enter", { instance, code, custom }, { tries: 1 });
    } catch (e) {
      if (!(e instanceof Refusal) || e.status !== 429 || tries === 5) throw e;
    }
    await pause(soon(1000 * tries));
  }
}

/** meet asks Discord who is present, and returns the reader's language, or "" if it is unknown. @returns {Promise<string>} */
async function meet() {
  try {
    await discord.command("AUTHENTICATE", { access_token: access });
    const come = (/** @type {{ participants?: Participant[] }} */ told) => {
      const first = !present.called(referrer);
      present.come(told.participants ?? []);
      const by = present.called(referrer);
      if (first && by && custom) show(say("{name} showed you this game.", { name: by }));
      table?.board.again?.();
      together();
    };
    discord.on("ACTIVITY_INSTANCE_PARTICIPANTS_UPDATE", come).catch(() => {});
    discord.command("GET_ACTIVITY_INSTANCE_CONNECTED_PARTICIPANTS").then(come).catch(() => {});
    return (await discord.command("USER_SETTINGS_GET_LOCALE")).locale ?? "";
  } catch {
    return ""; // an old client
  }
}

async function start() {
  if (!frame || !instance) return stopped(say("This board opens in Discord: choose Rackmate from the activities in a channel there."));
  try {
    discord = await connect(application);
    layout(discord, phone);
    const { code } = await discord.command("AUTHORIZE", { client_id: application, response_type: "code", state: "", prompt: "none", scope: ["identify"] });
    const entered = await enter(code);
    ({ bearer, access } = entered);
    const read = await Promise.race([meet(), pause(1000)]); // then fall back to the host's answer
    await speak([read || entered.locale, ...navigator.languages].filter(Boolean));
  } catch (e) {
    return stopped(plain(refusal(e)));
  }
  translate(document.body);
  show("");
  begin();
}

start();
