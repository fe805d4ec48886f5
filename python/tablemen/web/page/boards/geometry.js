// The positions of squares on a draughts board, as displayed from either side.

/** @typedef {import("../api-types").SquareInfo} SquareInfo */
/** @typedef {{x: number, y: number}} Point */

/** The squares of a board. Points are in squares from the upper left corner. */
export class Geometry {
  /**
   * @param {readonly SquareInfo[]} squares
   * @param {number} height rows
   * @param {number} width columns
   */
  constructor(squares, height, width) {
    this.height = height;
    this.width = width;
    this.squares = new Map(squares.map((square) => [square.name, square]));
    this.names = new Map(squares.map(({ name, row, column }) => [`${row} ${column}`, name]));
  }

  /**
   * Find the square at a row and a column.
   * @param {number} row
   * @param {number} column
   */
  nameOf(row, column) {
    return this.names.get(`${row} ${column}`) ?? null;
  }

  /**
   * The displayed order of rows and columns.
   * @param {boolean} isFlipped
   */
  order(isFlipped) {
    const turn = (/** @type {number[]} */ numbers) => (isFlipped ? numbers.reverse() : numbers);
    return { downward: turn([...Array(this.height).keys()]), across: turn([...Array(this.width).keys()]) };
  }

  /**
   * The squares row by row as displayed.
   * @param {boolean} isFlipped
   */
  rows(isFlipped) {
    const { downward, across } = this.order(isFlipped);
    const lines = downward.map((row) => across.flatMap((column) => this.nameOf(row, column) ?? []));
    return lines.filter((line) => line.length > 0);
  }

  /**
   * The upper left corner of a square.
   * @param {string} name
   * @param {boolean} isFlipped
   * @returns {Point}
   */
  seenAt(name, isFlipped) {
    const { row, column } = this.squares.get(name) ?? { row: 0, column: 0 };
    return isFlipped ? { x: this.width - 1 - column, y: this.height - 1 - row } : { x: column, y: row };
  }

  /**
   * Find the square at a point.
   * @param {Point} point
   * @param {boolean} isFlipped
   */
  nameAt({ x, y }, isFlipped) {
    const [column, row] = [Math.floor(x), Math.floor(y)];
    return isFlipped ? this.nameOf(this.height - 1 - row, this.width - 1 - column) : this.nameOf(row, column);
  }

  /**
   * The squares between two on a line, in order.
   * @param {string} from
   * @param {string} to
   */
  between(from, to) {
    const start = this.seenAt(from, false);
    const end = this.seenAt(to, false);
    const [across, down] = [end.x - start.x, end.y - start.y];
    const steps = Math.max(Math.abs(across), Math.abs(down));
    const isLine = across === 0 || down === 0 || Math.abs(across) === Math.abs(down);
    const numbers = isLine ? [...Array(Math.max(steps - 1, 0)).keys()] : [];
    return numbers.flatMap((number) => {
      const part = (number + 1) / steps;
      return this.nameOf(Math.round(start.y + part * down), Math.round(start.x + part * across)) ?? [];
    });
  }
}
