// Texts by key, in the language that the person chose. A language is one file in /locales.

import {kept} from './storage.js';

/** Languages that are complete. */
export const languages = {
  en: 'English',
  ko: '한국어'
};

let texts = {};
let language = 'en';
let plurals = new Intl.PluralRules('en');
let region = null;

/** The language that the page is in. */
export const currentLanguage = () => language;

/** It with the person's region, as BCP 47: how dates, numbers and weeks are. Somebody in Berlin who reads
    English has `en-DE`. */
export const locale = () => `${language}-${region ?? regionOf(navigator.language) ?? regionOf(language)}`;

/** The locale of dates and numbers: where the browser does not know how the region writes this language, as the
    world does, not as the language's first country. */
export function writing() {
  const wanted = locale();
  if (written.of !== wanted) {
    const isKnown = Intl.DateTimeFormat(wanted).resolvedOptions().locale !== language
      || wanted === `${language}-${regionOf(language)}`;
    Object.assign(written, {of: wanted, as: isKnown ? wanted : `${language}-001`});
  }
  return written.as;
}
const written = {of: '', as: ''};

/** @param {string?} found the region of the person's settings, where the server knows it */
export function setRegion(found) { region = found ?? null; }

function regionOf(tag) {
  try {
    return new Intl.Locale(tag).maximize().region;
  } catch {
    // What a browser was told to send need not be a language.
    return undefined;
  }
}

/** The best of what the person chose, the browser asks for and the server says. */
export function preferred(fromServer) {
  const wishes = [kept('language'), ...navigator.languages, fromServer, 'en'];
  for (const wish of wishes) {
    const short = wish?.split(/[-_]/)[0];
    if (short && languages[short]) return short;
  }
  return 'en';
}

const fileOf = name => import(`/locales/${name}.js`);

/** Fetches the texts that `load` will most likely need. */
export function preload(name) { fileOf(name).catch(() => {/* `load` says it. */}); }

/** The language that was asked for last. */
let asked = null;

/** @returns whether it is the page's language now: of several that are asked for at once, only the last one is */
export async function load(name) {
  asked = name;
  const file = await fileOf(name);
  if (name !== asked) return false;
  language = name;
  texts = file.default;
  plurals = new Intl.PluralRules(name);
  document.documentElement.lang = name;
  return true;
}

/**
 * The text of a key. `{name}` is replaced by a value; a text with forms (`one`, `other`) is chosen by `n`.
 * @returns the key itself if there is no such text, so that a missing one is seen by the tests
 */
export function t(key, values = {}) {
  let text = texts[key];
  if (text && typeof text === 'object') text = text[plurals.select(values.n ?? 0)] ?? text.other;
  if (text === undefined) {
    console.error(`there is no text ${key}`);
    return key;
  }
  return text.replace(/\{(\w+)(?::([^}/]+)\/([^}]+))?\}/g,
    (all, name, closed, open) =>
      name in values ? String(values[name]) + particle(values[name], closed, open) : all);
}

/** Whether there is such a text. */
export const has = key => key in texts;

/**
 * The same, with elements: a list of texts and the values as they are.
 * @param {Object<string, Node|string>} values
 */
export function parts(key, values) {
  const text = t(key, {n: values.n});
  return text.split(/(\{[^}]+\})/).flatMap(part => {
    const [, name, closed, open] = /^\{(\w+)(?::([^/]+)\/(.+))?\}$/.exec(part) ?? [];
    if (!name || !(name in values)) return [part];
    return [values[name], particle(values[name]?.textContent ?? values[name], closed, open)];
  });
}

/** Foreign names by how they are read: Steam, Chrome, Slack and C# end closed; Firefox, GIMP and GitHub open. */
const endsClosed = /(#|[013678]|[lmn]e?|ng|[aeiou]c?k|lk|[aeiou][tp]|pp|[aeio]b|(?<!h)ub)$/;

/** Korean: the form of a particle follows from the sound at the end of the word before it. */
function particle(word, closed, open) {
  if (!closed) return '';
  const read = String(word).normalize('NFC').replace(/[^\p{L}\p{N}#]+$/u, '').toLowerCase();
  const code = read.charCodeAt(read.length - 1) - 0xac00;
  const isClosed = code >= 0 && code < 11172 ? code % 28 > 0 : endsClosed.test(read);
  return isClosed ? closed : open;
}
