// What a person likes, kept in this browser alone.

import { attempt, kept } from "./kept.js";
import { tongues } from "./say.js";

const usual = { theme: "system", language: "", sound: false, ask: false, whole: false };

/** @returns {typeof usual} */
export const settings = () => ({ ...usual, ...kept.getLong("settings", {}) });

/** @param {string} name @param {unknown} value */
export function choose(name, value) {
  kept.setLong("settings", { ...settings(), [name]: value });
  if (name === "language") location.reload();
  apply();
}

// languages are those that the page speaks, with what each calls itself.
export const languages = () => tongues.map((l) => [l, new Intl.DisplayNames(l, { type: "language" }).of(l)]);

const dark = matchMedia("(prefers-color-scheme: dark)");

// theme is the one that is on: light, dark or cb.
export function theme() {
  const { theme } = settings();
  return theme === "system" ? (dark.matches ? "dark" : "light") : theme;
}

// here is what the host may know of where the reader is.
export const here = () => ({ dark: theme() === "dark", zone: Intl.DateTimeFormat().resolvedOptions().timeZone });

// apply puts the theme on, and tells those who draw with it.
function apply() {
  if (document.documentElement.getAttribute("data-theme") === theme()) return;
  document.documentElement.setAttribute("data-theme", theme());
  dispatchEvent(new Event("themed"));
}

/** @type {AudioContext | undefined} */
let audio;

/** wake lets tones be heard from now on: some browsers allow it in a gesture alone. */
function wake() {
  audio ??= new AudioContext();
  if (audio.state !== "running") audio.resume().catch(() => {});
  return audio;
}

// tick is the sound of a tile, or a higher one that warns, for those who want it. Before
// the first gesture a browser would keep tones back, and play them all at once.
export function tick(pitch = 520) {
  if (!settings().sound || navigator.userActivation?.hasBeenActive === false) return;
  attempt(() => { // a page without sound plays as well
    const audio = wake(), tone = audio.createOscillator(), loud = audio.createGain();
    tone.type = "triangle";
    tone.frequency.value = pitch;
    loud.gain.setValueAtTime(0.12, audio.currentTime);
    loud.gain.exponentialRampToValueAtTime(0.001, audio.currentTime + 0.07);
    tone.connect(loud).connect(audio.destination);
    tone.start();
    tone.stop(audio.currentTime + 0.08);
  });
}
for (const gesture of ["pointerdown", "keydown"]) addEventListener(gesture, () => settings().sound && attempt(wake));

dark.addEventListener("change", apply);
addEventListener("storage", apply);
apply();
