// Animations on a board. The final state is set at the start, so that any animation can be skipped.

/** Whether to animate: not if the user prefers reduced motion, and not while the page is hidden. */
export function animationsEnabled() {
  return !document.hidden && !matchMedia("(prefers-reduced-motion: reduce)").matches;
}

/** Simultaneous animations, and callbacks for their end. */
export class BoardAnimation {
  constructor() {
    /** @type {Animation[]} */
    this.animations = [];
    /** @type {(() => void)[]} */
    this.endings = [];
    this.isOver = false;
    /** @type {() => void} */
    this.resolve = () => {};
    /** Resolves at the end, also if it is skipped. @type {Promise<void>} */
    this.done = new Promise((resolve) => {
      this.resolve = resolve;
    });
  }

  /**
   * Animate an element from a first position to its own.
   * @param {Element} element
   * @param {Keyframe[]} frames
   * @param {KeyframeAnimationOptions} timing
   * @param {() => void} [arrived] called at the end, unless it is skipped
   */
  add(element, frames, timing, arrived) {
    const animation = element.animate(frames, { fill: "backwards", ...timing });
    this.animations.push(animation);
    if (arrived) {
      animation.finished.then(arrived, () => {});
    }
  }

  /**
   * Call a function after a delay, unless it is skipped.
   * @param {Element} element
   * @param {number} delay milliseconds
   * @param {() => void} then
   */
  after(element, delay, then) {
    this.add(element, [], { duration: delay }, then);
  }

  /**
   * Call a function at the end in any case.
   * @param {() => void} ending
   */
  atEnd(ending) {
    this.endings.push(ending);
  }

  /** Run to the end. */
  start() {
    const before = this.animations.length;
    Promise.allSettled(this.animations.map((animation) => animation.finished)).then(() => {
      if (this.animations.length > before) {
        this.start(); // more was added meanwhile
      } else {
        this.finish();
      }
    });
    return this.done;
  }

  /** Skip to the end. */
  finish() {
    if (this.isOver) {
      return;
    }
    this.isOver = true;
    this.animations.forEach((animation) => animation.cancel());
    this.endings.forEach((ending) => ending());
    this.resolve();
  }
}
