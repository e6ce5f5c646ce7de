// Sentences in the reader's language. The English sentence is the key of its translations, which
// the host serves (data/sentences). A sentence has {named} places for values, and chooses by number
// like ICU messages: {n, plural, one {# tile} other {# tiles}}.

import { kept } from "./kept.js";

const page = globalThis.document?.documentElement;

// available lists the languages that the page can be read in.
export const available = ["en", ...(page?.dataset.languages ?? "").split(" ").filter(Boolean)];

// wanted returns the reader's preferred languages, the best first.
const wanted = () => [kept.getLong("settings", {}).language, ...(globalThis.navigator?.languages ?? [])].filter(Boolean);

// language is the code of the language that the page is shown in.
export let language = "en";
/** @type {Record<string, string>} */
let texts = {};

// locale formats numbers and dates: in the page's language, and as the browser does if that has the
// same language.
export let locale = "en";
/** @type {Intl.PluralRules} */
let rules;
/** @type {Intl.NumberFormat} */
let whole;
/** @type {Intl.NumberFormat} */
let tenth;
/** @type {Intl.NumberFormat} */
let percentage;

/** speak switches to the first available of some languages. @param {string[]} languages */
export async function speak(languages) {
  const found = languages.flatMap((l) => [l, l.split("-")[0]]).find((l) => available.includes(l)) ?? "en";
  [texts, language] = [{}, "en"];
  if (page && found !== "en") {
    try {
      const response = await fetch(`/texts/${found}.json`);
      if (response.ok) [texts, language] = [await response.json(), found];
    } catch {
      // Fall back to English.
    }
  }
  if (page) page.lang = language;
  locale = (globalThis.navigator?.languages ?? []).find((l) => l.split("-")[0] === language.split("-")[0]) ?? language;
  rules = new Intl.PluralRules(language);
  // Whole numbers are grouped from five digits on, as the host formats them.
  whole = new Intl.NumberFormat(locale, { useGrouping: "min2" });
  percentage = new Intl.NumberFormat(locale, { style: "percent" });
  tenth = new Intl.NumberFormat(locale, { minimumFractionDigits: 1, maximumFractionDigits: 1 });
}
await speak(wanted());

/** tenths formats a number with one decimal. */
export const tenths = (/** @type {number} */ n) => tenth.format(n);

/** percent formats a share from 0 to 1 as a whole percentage. */
export const percent = (/** @type {number} */ share) => percentage.format(share);

/** parts returns a sentence with its values, as strings and nodes. @param {string} english @param {Record<string, any>} [values] @returns {any[]} */
export function parts(english, values = {}) {
  return read(texts[english] ?? english, values);
}

/** say returns a sentence with strings and numbers only. @param {string} english @param {Record<string, string | number>} [values] @returns {string} */
export const say = (english, values) => parts(english, values).join("");

/** list joins names in the language's way: "A, B and C". @param {string[]} all */
export const list = (all) => new Intl.ListFormat(language === "en" ? "en-GB" : language).format(all);

/** read fills in a template. @param {string} template @param {Record<string, any>} values @param {number} [count] @returns {any[]} */
function read(template, values, count) {
  const out = [];
  let text = "";
  for (let i = 0; i < template.length; i++) {
    if (template[i] === "#" && count !== undefined) text += whole.format(count);
    else if (template[i] !== "{") text += template[i];
    else {
      const end = closing(template, i);
      const [, name = "", kind, rest = ""] = /^\s*(\w+)\s*(?:,\s*(plural|select)\s*,(.*))?$/s.exec(template.slice(i + 1, end)) ?? [];
      const value = values[name];
      if (text) out.push(text);
      text = "";
      if (!kind) out.push(typeof value === "number" ? whole.format(value) : value);
      else out.push(...read(choice(rest, kind, value), values, kind === "plural" ? value : count));
      i = end;
    }
  }
  if (text) out.push(text);
  return out;
}

/** choice returns the branch of a plural or select for a value. @param {string} branches @param {string} kind @param {string | number} value */
function choice(branches, kind, value) {
  /** @type {Record<string, string>} */
  const all = {};
  for (let i = 0; i < branches.length; i++) {
    const open = branches.indexOf("{", i);
    if (open < 0) break;
    const end = closing(branches, open);
    all[branches.slice(i, open).trim()] = branches.slice(open + 1, end);
    i = end;
  }
  return (kind === "plural" ? all["=" + value] ?? all[rules.select(Number(value))] : all[value]) ?? all.other ?? "";
}

/** closing returns the position of the brace that closes the one at i. @param {string} s @param {number} i */
function closing(s, i) {
  for (let depth = 0; i < s.length; i++) {
    if (s[i] === "{") depth++;
    else if (s[i] === "}" && --depth === 0) return i;
  }
  return i;
}

/**
 * translate translates a page's own texts and labels. An element with a sentence in data-say gets
 * the sentence, with its children as the values in order.
 * @param {HTMLElement} root
 */
export function translate(root) {
  if (!Object.keys(texts).length && !root.querySelector("[data-say]")) return;
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  for (let next; (next = walker.nextNode());) {
    const node = /** @type {Text} */ (next);
    const english = node.data.trim().replace(/\s+/g, " ");
    if (texts[english] && !node.parentElement?.closest("[data-say]")) node.data = node.data.replace(node.data.trim(), () => texts[english]);
  }
  for (const name of ["aria-label", "title", "placeholder"]) {
    for (const node of root.querySelectorAll(`[${name}]`)) {
      const english = node.getAttribute(name) ?? "";
      node.setAttribute(name, texts[english] ?? english);
    }
  }
  for (const node of /** @type {NodeListOf<HTMLElement>} */ (root.querySelectorAll("[data-say]"))) {
    const sentence = node.dataset.say ?? "", children = [...node.children], names = [...sentence.matchAll(/\{(\w+)\}/g)].map((m) => m[1]);
    node.replaceChildren(...parts(sentence, Object.fromEntries(names.map((name, i) => [name, children[i]]))));
  }
}
