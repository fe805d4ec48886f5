// Export of the position as pictures.

import { fetchText } from "../api.js";
import { element } from "../dom.js";
import { toQuery } from "../position-spec.js";

/** @typedef {import("./state.js").AnalysisState} AnalysisState */

const SIZE = 800;
const MAX_MOVES = 400; // maximum in a query; a longer game is drawn by its position alone

/**
 * Download a file.
 * @param {Blob} content
 * @param {string} name
 */
export function download(content, name) {
  const address = URL.createObjectURL(content);
  const link = element("a", { href: address, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(address), 60_000); // some browsers read it only after the click
}

/**
 * Return a file name with the variant and the number of moves.
 * @param {AnalysisState} analysis
 * @param {string} ending
 */
export function fileName({ tree, current }, ending) {
  return `${[tree.variant, current.depth ? `after-${current.depth}` : "start"].join("-")}.${ending}`;
}

/**
 * Fetch the picture of the position, oriented as on the board.
 * @param {AnalysisState} analysis
 */
async function drawSvg(analysis) {
  const { subject, orientation, current } = analysis;
  const isLong = subject.moves.length > MAX_MOVES;
  const shown = isLong ? { ...subject, position: current.scene?.position ?? null } : subject;
  const query = toQuery(shown, { moves: isLong ? "" : subject.moves.join(" "), orientation, size: SIZE });
  return new Blob([await fetchText(`/api/board.svg?${query}`)], { type: "image/svg+xml" });
}

/** @param {AnalysisState} analysis */
export async function exportSvg(analysis) {
  download(await drawSvg(analysis), fileName(analysis, "svg"));
}

/** @param {AnalysisState} analysis */
export async function exportPng(analysis) {
  const address = URL.createObjectURL(await drawSvg(analysis));
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
    download(content, fileName(analysis, "png"));
  } finally {
    URL.revokeObjectURL(address);
  }
}
