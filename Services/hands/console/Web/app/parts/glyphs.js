// The line drawings of the menu.

import {svg} from '../h.js';

const paths = {
  today: 'M12 4a8 8 0 1 0 0 16 8 8 0 0 0 0-16zM12 8v4l3 2',
  reports: 'M5 19V11M10 19V5M15 19v-6M20 19H4M20 19V8',
  limits: 'M7 4h10M7 20h10M8 4c0 5 8 5 8 8s-8 3-8 8M16 4c0 5-8 5-8 8s8 3 8 8',
  downtime: 'M19 14A8 8 0 1 1 10 5a6.500 6.500 0 0 0 9 9z',
  requests: 'M4 6h16v10h-9l-4 3v-3H4zM8 11h.01M12 11h.01M16 11h.01',
  habits: 'M12 20c4 0 6-3 6-6 0-4-4-5-3-10-4 1-5 5-4 7-2 0-2-2-2-2-2 2-3 3-3 5 0 3 2 6 6 6z',
  encouragement: 'M12 19s-7-4-7-9a4 4 0 0 1 7-2 4 4 0 0 1 7 2c0 5-7 9-7 9z',
  worklog: 'M4 8h16v11H4zM9 8V5h6v3M4 13h16',
  apps: 'M5 5h5v5H5zM14 5h5v5h-5zM5 14h5v5H5zM14 14h5v5h-5z',
  bus: 'M4 12h4l2-6 4 12 2-6h4',
  settings: 'M4 8h9M17 8h3M4 16h3M11 16h9M15 6v4M9 14v4',
  more: 'M6 12h.01M12 12h.01M18 12h.01',
  left: 'M14 6l-6 6 6 6',
  right: 'M10 6l6 6-6 6',
  plus: 'M12 5v14M5 12h14',
  close: 'M6 6l12 12M18 6L6 18',
  search: 'M11 5a6 6 0 1 0 0 12 6 6 0 0 0 0-12zM16 16l4 4',
  filter: 'M4 6h16M7 12h10M10 18h4',
  shield: 'M12 4l7 3v5c0 4-3 7-7 8-4-1-7-4-7-8V7z',
  download: 'M12 5v10M8 11l4 4 4-4M5 19h14',
  down: 'M6 9l6 6 6-6',
  pencil: 'M5 19l1-4L16 5l3 3L9 18z',
  bin: 'M5 7h14M10 7V5h4v2M7 7l1 12h8l1-12',
  check: 'M5 12l5 5 9-10',
};

/** Decorative: a text is always beside it. */
export const glyphOf = name => svg('svg', {viewBox: '0 0 24 24', class: 'glyph-line', 'aria-hidden': 'true'},
  svg('path', {d: paths[name] ?? paths.more}));
