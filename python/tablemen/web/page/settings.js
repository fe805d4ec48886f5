// Settings in the browser's storage, for all pages.

/** Settings that could not be stored: they are lost with the page. @type {Map<string, string>} */
const unkept = new Map();

/**
 * Return a setting.
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
    return usual; // a browser without storage
  }
}

/**
 * Store a setting.
 * @param {string} name
 * @param {string} value
 * @returns {boolean} whether it was stored
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
