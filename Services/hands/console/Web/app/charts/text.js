// How much of a text fits into a width.

/** What measures texts of the page: `size` in pixels. */
export function penOf(size) {
  const pen = document.createElement('canvas').getContext('2d');
  pen.font = `${size}px ${getComputedStyle(document.body).fontFamily}`;
  return pen;
}

/** A text, cut where it is wider than `width`. */
export function cut(pen, text, width) {
  if (pen.measureText(text).width <= width) return text;
  const letters = [...text];
  while (letters.length > 0 && pen.measureText(`${letters.join('')}…`).width > width) letters.pop();
  return `${letters.join('')}…`;
}

/** The lines of a text, divided at its spaces, that fit into a width; a word that does not is cut. */
export function linesOf(pen, text, width) {
  const lines = [];
  for (const word of text.split(' ').filter(Boolean)) {
    const last = lines.at(-1);
    if (last !== undefined && pen.measureText(`${last} ${word}`).width <= width)
      lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(cut(pen, word, width));
  }
  return lines;
}
