// Settings that this browser keeps, for all pages.

/** What the browser did not keep: it holds as long as the page. @type {Map<string, string>} */
const unkept = new Map();

/**
 * A setting that this browser keeps.
 * @param {string} name
 * @param {string} usual
 */
export function setting(name, usual) {
  const value = unkept.get(name);
  if (value !== undefined) {
    return value;
  }
  try {
    return localStorage.getItem(`tablemen.${name}`) ?? usual;
  } catch {
    return usual; // a browser that keeps nothing
  }
}

/**
 * Keep a setting.
 * @param {string} name
 * @param {string} value
 * @returns {boolean} whether it is there after the page
 */
export function saveSetting(name, value) {
  try {
    localStorage.setItem(`tablemen.${name}`, value);
    unkept.delete(name);
    return true;
  } catch {
    unkept.set(name, value);
    return false;
  }
}
