// Names and icons of apps, categories and sites. An id is shown only where no name is known.

import {h} from './h.js';
import {call, wholeCatalogue} from './api.js';
import {has, t} from './words.js';

let apps = new Map();
let sites = new Map();
let reading = null;

/** The categories of the catalogue, in the order in which people look for them. */
export const categories = [
  'social', 'games', 'entertainment', 'creativity', 'education', 'health', 'reading', 'productivity',
  'shopping', 'travel', 'utilities', 'developer tools', 'other'
];

/** Reads the catalogue once; again after `forget`. */
export function load() {
  reading ??= (async () => {
    // One after the other: where it is not answered, other questions need the connections.
    const [a, d] = [await wholeCatalogue('app'), await wholeCatalogue('domain')];
    apps = new Map(a.map(item => [item.subject, item]));
    sites = new Map(d.map(item => [item.subject, item]));
  })().catch(error => {
    reading = null;
    throw error;
  });
  return reading;
}
export function forget() { reading = null; }

export const allApps = () => [...apps.values()];
export const allSites = () => [...sites.values()];
export const isBrowser = id => apps.get(id)?.browser ?? false;

export function categoryName(category) {
  if (category === 'all') return t('subject.everything');
  const key = `category.${category}`;
  return has(key) ? t(key) : category;
}

/** The category of an app or a site, as far as the catalogue was read; a site has that of what it is part of. */
export function categoryOf(kind, subject) {
  if (kind === 'app') return apps.get(subject)?.category ?? 'other';
  for (let name = subject; name; name = name.split('.').slice(1).join('.'))
    if (sites.has(name)) return sites.get(name).category;
  return 'other';
}

export function appName(id) {
  if (id === 'unknown' || id === '') return t('subject.unknown');
  const known = apps.get(id)?.name;
  if (known) return known;
  // `exe:/usr/bin/name` is a program without a desktop entry: its file name is what people call it.
  if (id.startsWith('exe:')) return id.split('/').pop() || id;
  return id;
}

export const hasName = id => Boolean(apps.get(id)?.name);

/** What a person calls a subject: `kind` is app, domain, category, domain_category or total. */
export function nameOf(kind, subject) {
  switch (kind) {
    case 'app': return appName(subject);
    case 'category': return categoryName(subject);
    case 'domain_category': return t('subject.sitesOf', {name: categoryName(subject)});
    case 'total': return t('subject.everything');
    default: return subject;
  }
}

const glyphs = {
  social: 'M5 7h14v9H11l-4 3v-3H5z',
  games: 'M7 9h10a4 4 0 0 1 0 8l-3-2h-4l-3 2a4 4 0 0 1 0-8zM9 11v3M7.500 12.500h3',
  entertainment: 'M6 6v12l12-6z',
  creativity: 'M5 19l3-1L18 8l-2-2L6 16z',
  education: 'M3 10l9-4 9 4-9 4zM7 12v4c3 2 7 2 10 0v-4',
  health: 'M12 19s-7-4-7-9a4 4 0 0 1 7-2 4 4 0 0 1 7 2c0 5-7 9-7 9z',
  reading: 'M12 7c-2-2-5-2-7-1v11c2-1 5-1 7 1 2-2 5-2 7-1V6c-2-1-5-1-7 1zM12 7v11',
  productivity: 'M5 12l4 4 10-9',
  shopping: 'M6 9h12l-1 10H7zM9 9a3 3 0 0 1 6 0',
  travel: 'M4 13l16-7-6 14-3-6z',
  utilities:
    'M12 9a3 3 0 1 0 0 6 3 3 0 0 0 0-6zM12 4v3M12 17v3M4 12h3M17 12h3M7 7l2 2M15 15l2 2M17 7l-2 2M9 15l-2 2',
  'developer tools': 'M9 8l-4 4 4 4M15 8l4 4-4 4',
  other: 'M6 12h.01M12 12h.01M18 12h.01',
  all: 'M5 5h6v6H5zM13 5h6v6h-6zM5 13h6v6H5zM13 13h6v6h-6z',
  domain: 'M12 4a8 8 0 1 0 0 16 8 8 0 0 0 0-16zM4 12h16M12 4c3 3 3 13 0 16M12 4c-3 3-3 13 0 16',
};

function glyph(name) {
  const path = document.createElementNS('http://www.w3.org/2000/svg', 'path');
  path.setAttribute('d', glyphs[name] ?? glyphs.other);
  const image = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  image.setAttribute('viewBox', '0 0 24 24');
  image.append(path);
  return image;
}

/** The number of a category's colour, 0 to 7. */
export const hueOf = category => Math.max(0, categories.indexOf(category)) % 8;

/** Apps whose icon the server does not have: a letter is drawn at once. */
const iconless = new Set();

/** The icon of a subject, decorative: the name is beside it. */
export function icon(kind, subject) {
  if (kind === 'category' || kind === 'domain_category' || kind === 'total') {
    return h('span', {class: 'icon glyph', 'aria-hidden': 'true'}, glyph(kind === 'total' ? 'all' : subject));
  }
  if (kind === 'domain') return h('span', {class: 'icon glyph', 'aria-hidden': 'true'}, glyph('domain'));
  const letter = () =>
    h('span', {class: 'icon letter', 'data-hue': hueOf(categoryOf('app', subject)), 'aria-hidden': 'true'},
      /[\p{L}\p{N}]/u.exec(appName(subject).replace(/^.*\./, ''))?.[0].toUpperCase() ?? '?');
  // An app that has no icon in the catalogue has none on the server.
  if (iconless.has(subject) || !apps.get(subject)?.icon) return letter();
  return h('img', {
    class: 'icon',
    src: `/icon/${encodeURIComponent(subject)}`,
    alt: '',
    width: 32,
    height: 32,
    loading: 'lazy',
    onerror: event => {
      iconless.add(subject);
      event.target.replaceWith(letter());
    },
  });
}

/** Gives an app or a site another category. */
export const setCategory = (kind, subject, category) => call('catalog.set', {
  about: kind === 'app' ? {app: subject} : {host: subject},
  ...(category ? {category} : {}),
});
