// Synthesised sounds of wood, without files. They are off by default.

import { setting } from "../settings.js";

/** @typedef {"move" | "capture" | "crown" | "sow" | "end" | "low-time" | "refused"} SoundName */

/**
 * A part of a sound: filtered noise for a knock, or a decaying sine for a tone.
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

const SHORTEST_GAP = 0.04; // minimum seconds between two of the same name

/** @type {AudioContext | undefined} */
let context;
/** @type {AudioBuffer | undefined} */
let noise;
/** @type {Map<SoundName, number>} */
const played = new Map();

/**
 * Play a sound, if sounds are on.
 * @param {SoundName} name
 */
export function play(name) {
  if (setting("sound", "off") !== "on") {
    return;
  }
  context ??= new AudioContext();
  if (context.state === "suspended") {
    void context.resume();
  }
  const now = context.currentTime;
  if (now - (played.get(name) ?? -1) < SHORTEST_GAP) {
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
  const source = kind === "tone" ? tone(audio, pitch, volume) : knock(audio, pitch, volume);
  source.start(start);
  source.stop(start + length + 0.02);
}

/**
 * @param {AudioContext} audio
 * @param {number} pitch
 * @param {AudioNode} out
 */
function tone(audio, pitch, out) {
  const oscillator = new OscillatorNode(audio, { type: "sine", frequency: pitch });
  oscillator.connect(out);
  return oscillator;
}

/**
 * @param {AudioContext} audio
 * @param {number} pitch
 * @param {AudioNode} out
 */
function knock(audio, pitch, out) {
  noise ??= makeNoise(audio);
  const source = new AudioBufferSourceNode(audio, { buffer: noise });
  const filter = new BiquadFilterNode(audio, { type: "bandpass", frequency: pitch, Q: 4 });
  source.connect(filter);
  filter.connect(out);
  return source;
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
