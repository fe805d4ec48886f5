// Helpers for all pages: elements, notices, text, settings, the clipboard and sounds.

/** @typedef {import("./api-types").MoveInfo} MoveInfo */

const TOAST_DURATION = 5000; // milliseconds
const SVG_NAMESPACE = "http://www.w3.org/2000/svg";

// Elements

/**
 * Create an element with attributes, listeners (`onclick`) and children. Strings become text nodes, never HTML.
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag
 * @param {Record<string, unknown>} [attributes] true sets an attribute without a value, false and null are left out,
 *   and functions are listeners
 * @param {...(Node | string | null | undefined)} children
 * @returns {HTMLElementTagNameMap[K]}
 */
export function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") {
      made.addEventListener(name.slice(2), /** @type {EventListener} */ (value));
    } else if (value === true) {
      made.setAttribute(name, "");
    } else if (value !== false && value !== null && value !== undefined) {
      made.setAttribute(name, String(value));
    }
  }
  made.append(...children.filter((child) => child !== null && child !== undefined));
  return made;
}

/**
 * Create an SVG element.
 * @template {keyof SVGElementTagNameMap} K
 * @param {K} tag
 * @param {Record<string, string | number>} [attributes]
 * @param {...(Node | string)} children
 * @returns {SVGElementTagNameMap[K]}
 */
export function picture(tag, attributes = {}, ...children) {
  const made = /** @type {SVGElementTagNameMap[K]} */ (document.createElementNS(SVG_NAMESPACE, tag));
  for (const [name, value] of Object.entries(attributes)) {
    made.setAttribute(name, String(value));
  }
  made.append(...children);
  return made;
}

/**
 * Return the element for a selector. Throws `TypeError` if the page does not have it.
 * @template {HTMLElement} E
 * @param {string} selector
 * @param {new () => E} kind
 * @param {ParentNode} [within]
 * @returns {E}
 */
export function find(selector, kind, within = document) {
  const found = within.querySelector(selector);
  if (!(found instanceof kind)) {
    throw new TypeError(`the page has no ${selector}`);
  }
  return found;
}

// Notices

/**
 * Announce a text to screen readers. A repeated text is announced again.
 * @param {string} text
 */
export function announce(text) {
  find("#announcer", HTMLElement).replaceChildren(element("p", {}, text));
}

/** The toasts on the page by their texts, each with the timer that removes it. @type {Map<string, number>} */
const toastTimers = new Map();

/**
 * Show a text for a few seconds, and announce it. A text that is shown already stays longer.
 * @param {string} text
 * @param {"" | "bad"} [kind] "bad" for an error
 */
export function toast(text, kind = "") {
  const place = find("#toasts", HTMLElement);
  const shown = [...place.children].find((each) => each.textContent === text);
  const made = shown ?? element("div", { class: `toast ${kind}` }, text);
  if (!shown) {
    place.append(made);
  }
  announce(text);
  clearTimeout(toastTimers.get(text));
  const remove = () => {
    made.remove();
    toastTimers.delete(text);
  };
  toastTimers.set(text, setTimeout(remove, TOAST_DURATION));
}

/**
 * Copy a text to the clipboard and confirm it. If the browser does not allow that, show the text to copy by hand.
 * @param {string} text
 * @param {string} what the name of the text, for the message
 */
export async function copy(text, what) {
  try {
    await navigator.clipboard.writeText(text);
    toast(`${what} copied.`);
  } catch {
    prompt(`${what}:`, text); // the clipboard needs HTTPS or localhost
  }
}

// Text

/**
 * Return a text with a capital first letter.
 * @param {string} word
 */
export function capital(word) {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

/**
 * Return a number with its noun: "3 seeds", "1 seed".
 * @param {number} number
 * @param {string} one
 * @param {string} [several]
 */
export function count(number, one, several = `${one}s`) {
  return `${number} ${number === 1 ? one : several}`;
}

/**
 * Return a move as text for announcements: `19 takes 28, 1 captured`, `house 3, moves again`.
 * @param {MoveInfo} move
 */
export function moveText({ places, captured, crowns, captured_seeds: seeds, extra_turn: isAgain }) {
  const single = places[0] === "swap" ? "swaps sides" : `house ${places[0]}`;
  const parts = [places.length > 1 ? places.join(captured.length ? " takes " : " to ") : single];
  if (captured.length) {
    parts.push(`${captured.length} captured`);
  }
  if (crowns) {
    parts.push("crowned");
  }
  if (seeds) {
    parts.push(`captures ${count(seeds, "seed")}`);
  }
  if (isAgain) {
    parts.push("moves again");
  }
  return parts.join(", ");
}

// Settings

/** Settings that could not be stored; they last as long as the page. @type {Map<string, string>} */
const unstored = new Map();

/**
 * Return a setting from this browser's storage.
 * @param {string} name
 * @param {string} initial the value if none is stored
 */
export function setting(name, initial) {
  try {
    return unstored.get(name) ?? localStorage.getItem(`tablemen.${name}`) ?? initial;
  } catch {
    return initial; // storage is disabled
  }
}

/**
 * Store a setting.
 * @param {string} name
 * @param {string} value
 * @returns {boolean} whether the browser stored it
 */
export function saveSetting(name, value) {
  try {
    localStorage.setItem(`tablemen.${name}`, value);
    unstored.delete(name);
    return true;
  } catch {
    unstored.set(name, value);
    return false;
  }
}

// Sounds: synthesised, so that no sound files are needed

/** @typedef {"move" | "capture" | "crown" | "sow" | "end" | "low-time" | "refused"} SoundName */

/**
 * A part of a sound: a knock is filtered noise, a tone is a decaying sine.
 * @typedef {object} Part
 * @property {"knock" | "tone"} kind
 * @property {number} pitch hertz
 * @property {number} length seconds
 * @property {number} loud
 * @property {number} [after] seconds
 */

/** @type {Record<SoundName, Part[]>} */
const SOUNDS = {
  move: [
    { kind: "knock", pitch: 1150, length: 0.06, loud: 0.9 },
    { kind: "tone", pitch: 190, length: 0.09, loud: 0.25 },
  ],
  capture: [
    { kind: "knock", pitch: 850, length: 0.07, loud: 1 },
    { kind: "tone", pitch: 140, length: 0.12, loud: 0.3 },
    { kind: "knock", pitch: 1500, length: 0.05, loud: 0.6, after: 0.07 },
  ],
  crown: [
    { kind: "knock", pitch: 1150, length: 0.06, loud: 0.7 },
    { kind: "tone", pitch: 660, length: 0.25, loud: 0.14, after: 0.04 },
    { kind: "tone", pitch: 880, length: 0.35, loud: 0.14, after: 0.13 },
  ],
  sow: [{ kind: "knock", pitch: 2100, length: 0.035, loud: 0.5 }],
  end: [
    { kind: "tone", pitch: 392, length: 0.4, loud: 0.16 },
    { kind: "tone", pitch: 494, length: 0.4, loud: 0.14, after: 0.14 },
    { kind: "tone", pitch: 587, length: 0.7, loud: 0.14, after: 0.28 },
  ],
  "low-time": [
    { kind: "tone", pitch: 740, length: 0.12, loud: 0.16 },
    { kind: "tone", pitch: 740, length: 0.12, loud: 0.16, after: 0.18 },
  ],
  refused: [{ kind: "tone", pitch: 130, length: 0.14, loud: 0.22 }],
};

const MIN_SOUND_INTERVAL = 0.04; // seconds between two sounds of one name

/** @type {AudioContext | undefined} */
let context;
/** @type {AudioBuffer | undefined} */
let noise;
/** @type {Map<SoundName, number>} */
const played = new Map();

/**
 * Play a sound if sounds are switched on.
 * @param {SoundName} name
 */
export function playSound(name) {
  if (setting("sound", "off") !== "on") {
    return;
  }
  context ??= new AudioContext();
  if (context.state === "suspended") {
    void context.resume();
  }
  const now = context.currentTime;
  if (now - (played.get(name) ?? -1) < MIN_SOUND_INTERVAL) {
    return;
  }
  played.set(name, now);
  for (const part of SOUNDS[name]) {
    playPart(context, part, now + (part.after ?? 0));
  }
}

/**
 * @param {AudioContext} audio
 * @param {Part} part
 * @param {number} start
 */
function playPart(audio, { kind, pitch, length, loud }, start) {
  const volume = audio.createGain();
  volume.gain.setValueAtTime(0.0001, start);
  volume.gain.exponentialRampToValueAtTime(loud, start + 0.003);
  volume.gain.exponentialRampToValueAtTime(0.0001, start + length);
  volume.connect(audio.destination);
  let source;
  if (kind === "tone") {
    source = new OscillatorNode(audio, { type: "sine", frequency: pitch });
    source.connect(volume);
  } else {
    noise ??= makeNoise(audio);
    source = new AudioBufferSourceNode(audio, { buffer: noise });
    source.connect(new BiquadFilterNode(audio, { type: "bandpass", frequency: pitch, Q: 4 })).connect(volume);
  }
  source.start(start);
  source.stop(start + length + 0.02);
}

/** @param {AudioContext} audio */
function makeNoise(audio) {
  const length = Math.ceil(audio.sampleRate / 4);
  const buffer = new AudioBuffer({ length, sampleRate: audio.sampleRate });
  const samples = buffer.getChannelData(0);
  for (let number = 0; number < length; number += 1) {
    samples[number] = 2 * Math.random() - 1;
  }
  return buffer;
}
