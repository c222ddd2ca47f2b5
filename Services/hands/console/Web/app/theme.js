// Light, dark, or what the desktop says.

import {keep, kept} from './storage.js';

export const themes = ['auto', 'light', 'dark'];

export function theme() {
  const chosen = kept('theme');
  return themes.includes(chosen) ? chosen : 'auto';
}

export function applyTheme(chosen = theme()) {
  keep('theme', chosen === 'auto' ? null : chosen);
  if (chosen === 'auto') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = chosen;
}
