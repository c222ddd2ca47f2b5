// Light, dark, or what the desktop says.

export const themes = ['auto', 'light', 'dark'];

export function theme() {
  const chosen = localStorage.getItem('theme');
  return themes.includes(chosen) ? chosen : 'auto';
}

export function applyTheme(chosen = theme()) {
  if (chosen === 'auto') localStorage.removeItem('theme');
  else localStorage.setItem('theme', chosen);
  if (chosen === 'auto') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = chosen;
}
