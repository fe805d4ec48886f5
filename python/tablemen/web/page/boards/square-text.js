// The description of a square for screen readers.

/** @typedef {import("./pieces.js").Piece} Piece */

/**
 * Describe the contents and the state of a square.
 * @param {{label: string, piece: Piece | null, isJumped: boolean, marks: Record<string, boolean>, value: string}} square
 */
export function describeSquare({ label, piece, isJumped, marks, value }) {
  const parts = [label, piece ? `${piece.side} ${piece.isKing ? "king" : "man"}` : "empty"];
  if (piece && isJumped) {
    parts.push("will be captured");
  }
  if (marks.picked) {
    parts.push("picked");
  } else if (marks.target || marks.end) {
    parts.push(marks.takes ? "target, captures" : "target");
  } else if (marks["can-move"] || marks["can-change"]) {
    parts.push("can move");
  }
  if (marks.last) {
    parts.push("last move");
  }
  if (value) {
    parts.push(`value ${value}`);
  }
  return parts.join(", ");
}
