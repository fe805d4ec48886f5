// Focus management when the focused element disappears.

/**
 * Apply a change; if the focused element is gone or unusable then, focus another one.
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
