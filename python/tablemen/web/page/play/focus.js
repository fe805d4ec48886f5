// The focus stays where somebody can go on, when what had it goes away.

/**
 * Change something; where what had the focus is gone then, or cannot be used, it goes elsewhere.
 * @param {() => void} change
 * @param {(lost: HTMLElement) => HTMLElement} next
 */
export function keepFocus(change, next) {
  const focused = document.activeElement;
  change();
  if (focused instanceof HTMLElement && focused !== document.body && !canHold(focused)) {
    next(focused).focus();
  }
}

/** @param {HTMLElement} element */
function canHold(element) {
  return element.isConnected && !element.matches(":disabled") && element.checkVisibility();
}
