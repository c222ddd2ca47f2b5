// What a person chose in this browser; where it keeps nothing, for this page.

const here = new Map();

/** @returns {?string} */
export function kept(key) {
  if (here.has(key)) return here.get(key);
  try {
    return localStorage.getItem(key);
  } catch { return null; /* Storage may be forbidden, and is null in some browsers then. */ }
}

/** @param {?string} value null: nothing was chosen */
export function keep(key, value) {
  here.delete(key);
  try {
    if (value === null) localStorage.removeItem(key);
    else localStorage.setItem(key, value);
  } catch { here.set(key, value); }
}
