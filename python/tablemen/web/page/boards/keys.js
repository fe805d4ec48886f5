// Keyboard navigation on a board.

/**
 * Find the place that a key leads to; null for other keys.
 * @param {{key: string, ctrlKey: boolean}} event
 * @param {string[][]} rows
 * @param {string} cursor
 * @param {(place: string) => boolean} isNext whether Page Up and Page Down stop there
 * @returns {string | null}
 */
export function nextPlace({ key, ctrlKey }, rows, cursor, isNext) {
  const number = rows.findLastIndex((row) => row.includes(cursor));
  const row = rows[number] ?? [];
  const along = row.indexOf(cursor);
  /** @param {string[] | undefined} line @param {number} index */
  const within = (line, index) => line?.[Math.min(Math.max(index, 0), line.length - 1)] ?? cursor;
  switch (key) {
    case "ArrowLeft":
      return within(row, along - 1);
    case "ArrowRight":
      return within(row, along + 1);
    case "ArrowUp":
      return within(rows[Math.max(number - 1, 0)], along);
    case "ArrowDown":
      return within(rows[Math.min(number + 1, rows.length - 1)], along);
    case "Home":
      return within(ctrlKey ? rows[0] : row, 0);
    case "End":
      return within(ctrlKey ? rows.at(-1) : row, Infinity);
    case "PageUp":
      return around(rows.flat().reverse(), cursor).find(isNext) ?? cursor;
    case "PageDown":
      return around(rows.flat(), cursor).find(isNext) ?? cursor;
    default:
      return null;
  }
}

/**
 * All places in order, starting after the cursor.
 * @param {string[]} places
 * @param {string} cursor
 */
function around(places, cursor) {
  const here = places.indexOf(cursor);
  return [...places.slice(here + 1), ...places.slice(0, here)];
}
