// A person's settings, stored in this browser only.

import { attempt, kept } from "./kept.js";
import { available } from "./say.js";

const usual = { theme: "system", language: "", sound: false, ask: false, whole: false };

/** @returns {typeof usual} */
export const settings = () => ({ ...usual, ...kept.getLong("settings", {}) });

/** @param {string} name @param {unknown} value */
export function choose(name, value) {
  kept.setLong("settings", { ...settings(), [name]: value });
  if (name === "language") location.reload();
  apply();
}

// languages returns the page's languages with their own names.
export const languages = () => available.map((l) => [l, new Intl.DisplayNames(l, { type: "language" }).of(l)]);

const dark = matchMedia("(prefers-color-scheme: dark)");

// theme returns the current theme: light, dark or cb.
export function theme() {
  const { theme } = settings();
  return theme === "system" ? (dark.matches ? "dark" : "light") : theme;
}

// here returns the reader's theme and time zone for the host.
export const here = () => ({ dark: theme() === "dark", zone: Intl.DateTimeFormat().resolvedOptions().timeZone });

// apply sets the theme, and signals it to scripts that draw with it.
function apply() {
  if (document.documentElement.getAttribute("data-theme") === theme()) return;
  document.documentElement.setAttribute("data-theme", theme());
  dispatchEvent(new Event("themed"));
}

/** @type {AudioContext | undefined} */
let audio;

/** wake enables sound, which some browsers allow only in a gesture. */
function wake() {
  audio ??= new AudioContext();
  if (audio.state !== "running") audio.resume().catch(() => {});
  return audio;
}

// tick plays the sound of a tile, or a higher one as a warning, if sound is on. Before the first
// gesture it plays nothing, since a browser would queue the tones and play them all at once.
export function tick(pitch = 520) {
  if (!settings().sound || navigator.userActivation?.hasBeenActive === false) return;
  attempt(() => { // the page works without sound
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
