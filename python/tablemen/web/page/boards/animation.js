// Things that move for a while. What they show at the end is there from the beginning, so that any of it can be cut short.

/** Whether things may move: not where the user asked for none, and not where nobody looks. */
export function animationsEnabled() {
  return !document.hidden && !matchMedia("(prefers-reduced-motion: reduce)").matches;
}

/** Movements that go on together, and what is to be done when they are over. */
export class BoardAnimation {
  constructor() {
    /** @type {Animation[]} */
    this.animations = [];
    /** @type {(() => void)[]} */
    this.endings = [];
    this.isOver = false;
    /** @type {() => void} */
    this.tell = () => {};
    /** Resolves when it is over, by itself or cut short. @type {Promise<void>} */
    this.done = new Promise((resolve) => {
      this.tell = resolve;
    });
  }

  /**
   * Move an element from how it is drawn first to how it is.
   * @param {Element} element
   * @param {Keyframe[]} frames
   * @param {KeyframeAnimationOptions} timing
   * @param {() => void} [arrived] called when it is there, not when it is cut short
   */
  add(element, frames, timing, arrived) {
    const animation = element.animate(frames, { fill: "backwards", ...timing });
    this.animations.push(animation);
    if (arrived) {
      animation.finished.then(arrived, () => {});
    }
  }

  /**
   * Do something after a while, if it is not cut short before.
   * @param {Element} element
   * @param {number} delay milliseconds
   * @param {() => void} then
   */
  after(element, delay, then) {
    this.add(element, [], { duration: delay }, then);
  }

  /**
   * Something that is done at the end in any case.
   * @param {() => void} ending
   */
  atEnd(ending) {
    this.endings.push(ending);
  }

  /** Let it go on to its end. */
  start() {
    const before = this.animations.length;
    Promise.allSettled(this.animations.map((animation) => animation.finished)).then(() => {
      if (this.animations.length > before) {
        this.start(); // there is more to do than there was
      } else {
        this.finish();
      }
    });
    return this.done;
  }

  /** Be at the end now. */
  finish() {
    if (this.isOver) {
      return;
    }
    this.isOver = true;
    this.animations.forEach((animation) => animation.cancel());
    this.endings.forEach((ending) => ending());
    this.tell();
  }
}
