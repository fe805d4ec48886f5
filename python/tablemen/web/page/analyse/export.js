// Pictures of the position as files.

import { fetchText, toQuery } from "../api.js";
import { element } from "../ui.js";

/** @typedef {import("./state.js").AnalysisState} AnalysisState */

const SIZE = 800;
const MOST_MOVES = 400; // in an address; after more, the picture is that of the position alone

/**
 * Let the browser keep a file.
 * @param {Blob} content
 * @param {string} name
 */
export function download(content, name) {
  const address = URL.createObjectURL(content);
  const link = element("a", { href: address, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(address), 60_000); // some browsers take it later than the click
}

/**
 * A name for a file: the variant, and how many moves were played.
 * @param {AnalysisState} desk
 * @param {string} ending
 */
export function fileName({ tree, current }, ending) {
  return `${[tree.variant, current.depth ? `after-${current.depth}` : "start"].join("-")}.${ending}`;
}

/**
 * The position as a picture, turned as the board is.
 * @param {AnalysisState} desk
 */
async function drawSvg(desk) {
  const { subject, orientation, current } = desk;
  const isLong = subject.moves.length > MOST_MOVES;
  const shown = isLong ? { ...subject, position: current.scene?.position ?? null } : subject;
  const query = toQuery(shown, { moves: isLong ? "" : subject.moves.join(" "), orientation, size: SIZE });
  return new Blob([await fetchText(`/api/board.svg?${query}`)], { type: "image/svg+xml" });
}

/** @param {AnalysisState} desk */
export async function exportSvg(desk) {
  download(await drawSvg(desk), fileName(desk, "svg"));
}

/** @param {AnalysisState} desk */
export async function exportPng(desk) {
  const address = URL.createObjectURL(await drawSvg(desk));
  try {
    const image = new Image();
    image.src = address;
    await image.decode();
    const canvas = element("canvas", { width: image.naturalWidth, height: image.naturalHeight });
    canvas.getContext("2d")?.drawImage(image, 0, 0);
    const content = await new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
    if (!(content instanceof Blob)) {
      throw new Error("this browser cannot make a PNG of it");
    }
    download(content, fileName(desk, "png"));
  } finally {
    URL.revokeObjectURL(address);
  }
}
