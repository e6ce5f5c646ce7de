// Opening a table: against a robot by one press, or by a form.

import { give, ofGame } from "./give.js";
import { say } from "./say.js";
import { $, el } from "./dom.js";
import { call, newID, plain, refusal } from "./api.js";
import { go } from "./nav.js";
import { here } from "./settings.js";
import { store, stream, nameOf, emit } from "./store.js";

const form = $("new-form");
/** @param {string} name */
const option = (name) => store.commands.find((c) => c.name === "new")?.options.find((o) => o.name === name);

// levels returns the robots' levels, the weakest first.
export const levels = () => option("robots")?.choices ?? [];

// usual returns the default level of a robot.
export const usual = () => levels()[Math.floor((levels().length - 1) / 3)]?.value;

/**
 * playRobot opens another table against a robot, by default of the usual level, and shows it. The
 * table is in the conversation with the host or in a thread beside it, so that it fills no channel.
 * @param {string} [level]
 */
export async function playRobot(level = usual()) {
  const own = stream("dm." + store.me.id), text = `/new robots:${level}`;
  /** @type {Reply} */
  let reply;
  try {
    ({ reply } = await call("say", { stream: own.id, id: newID(), text, ...here() }, { tries: Infinity }));
  } catch (e) {
    reply = refusal(e);
  }
  const link = reply.refused ? undefined : reply.text.find((t) => t.link)?.link; // the thread beside the conversation
  emit("reply", own, reply, text);
  go("/" + (link ? new URL(link, location.href).hash : "#" + own.id));
}

// running lists tables elsewhere that can be joined or watched.
export async function running() {
  try {
    return (await call("running", {}, { tries: 1 })).games.filter((/** @type {Running} */ g) => g.stream !== store.current);
  } catch {
    return [];
  }
}

export function start() {
  $("new-game").addEventListener("click", open);
  form.addEventListener("submit", (e) => {
    e.preventDefault();
    $("new-dialog").close();
    emit("command", line());
  });
}

// languages returns the languages of games, each with its option's value and its name.
export async function languages() {
  try {
    return (await call("complete", { stream: store.current || "general", line: "/new language:" }, { tries: 1 })).choices.map((/** @type {Choice} */ c) => [c.insert.split(":")[1], c.help || c.label]);
  } catch {
    return [];
  }
}

/** @param {Option} o @param {string} none */
const choose = (o, none) => el("select", { id: "new-" + o.name, name: o.name }, el("option", { value: "" }, none), ...(o.choices ?? []).map((c) => el("option", { value: c.value }, c.label.length > 60 ? c.label.slice(0, 58) + "…" : c.label)));

// common lists the options shown first; the others are folded under "More".
const common = ["robots", "variant"];
/** @type {Record<string, string>} */
const words = { robots: say("A robot to play against"), variant: say("The game"), rules: say("Rules"), challenge: say("Words that aren't in the list"), seats: say("Players"), clock: say("Clocks"), order: say("Playing order"), out: say("Going out"), dictionary: say("Looking words up"), hints: say("Hints"), rated: say("Rated"), pace: say("Time for a turn") };

export function open() {
  const s = stream(store.current || "general");
  const here = [...store.people.values()].filter((p) => p.id !== store.me.id && !p.gone && (s.kind === "direct" ? p.id === s.with : s.kind !== "host" && p.here));
  const all = store.commands.find((c) => c.name === "new")?.options ?? [];
  const field = (/** @type {Option} */ o) => el("p", { class: "field-row" }, el("label", { for: "new-" + o.name }, words[o.name] ?? o.help), choose(o, o.name === "robots" ? say("No robot") : say("The default")));
  const spoken = all.find((o) => o.name === "language");
  const language = spoken ? field(spoken) : el("p");
  language.hidden = true;
  languages().then((offered) => {
    language.hidden = offered.length < 2;
    language.querySelector("select")?.append(...offered.map((/** @type {string[]} */ [value, label]) => el("option", { value }, label)));
  });
  $("new-fields").replaceChildren(
    here.length > 0 && el("fieldset", {}, el("legend", {}, say("Who do you want to invite?")), ...here.slice(0, 12).map((p) => el("label", { class: "check" }, el("input", { type: "checkbox", name: "opponents", value: p.name }), el("bdi", {}, nameOf(p))))) || "",
    language,
    ...common.flatMap((name) => all.filter((o) => o.name === name)).map(field),
    el("details", {}, el("summary", {}, say("More")), ...all.filter((o) => o.choices?.length && !common.includes(o.name)).map(field)));
  $("new-dialog").showModal();
}

// line returns the command for the form's values.
function line() {
  const parts = ["/new"];
  for (const box of /** @type {NodeListOf<HTMLInputElement>} */ (form.querySelectorAll("input:checked"))) parts.push("@" + box.value);
  const chosen = [...form.querySelectorAll("select")].filter((box) => box.value);
  parts.push(...chosen.map((box) => `${box.name}:${box.value}`));
  // Two play by default: such a table starts by itself.
  if (parts.length < 3 && !chosen.some((box) => ["seats", "variant", "robots", "rules"].includes(box.name))) parts.push("seats:2");
  return parts.join(" ");
}

/** invite prepares a link for an opponent, opens a table for two if there is none, and returns instructions. */
export async function invite() {
  const s = stream(store.current);
  if (!s.sight || s.sight.phase === "over") emit("command", `/new seats:2`, s.id);
  let url = `${location.origin}/#${s.id}`;
  if (!store.open) {
    try {
      const { reply } = await call("say", { stream: s.id, id: newID(), text: `/invite uses:3` });
      const link = reply.text.find((/** @type {Span} */ t) => t.code && t.text.includes("/in/"));
      if (!link) return plain(reply);
      url = link.text;
    } catch (e) {
      return plain(refusal(e));
    }
  }
  return give(url);
}

/** share shares the page of the latest game, and returns a message about the result. */
export async function share() {
  const { page, sight } = stream(store.current);
  if (page && sight?.phase !== "lobby") return give(ofGame(page));
  try {
    const { reply } = await call("say", { stream: store.current, id: newID(), text: `/board page:yes` });
    const link = reply.buttons?.find((/** @type {Button} */ b) => b.link)?.link;
    return link ? give(new URL(link, location.href).href) : plain(reply);
  } catch (e) {
    return plain(refusal(e));
  }
}
