// Saves a chart as a picture: its SVG with the present colours, drawn into a PNG.

import {cut, linesOf} from './text.js';

const copied = [
  'fill', 'stroke', 'stroke-width', 'stroke-dasharray', 'opacity', 'font-size', 'font-family', 'font-weight',
  'text-anchor'
];

function withColours(image) {
  const copy = image.cloneNode(true);
  const [from, to] = [image.querySelectorAll('*'), copy.querySelectorAll('*')];
  from.forEach((element, i) => {
    const style = getComputedStyle(element);
    for (const name of copied) to[i].setAttribute(name, style.getPropertyValue(name));
  });
  copy.setAttribute('xmlns', 'http://www.w3.org/2000/svg');
  return copy;
}

const pad = 24;
const lineHeight = 20;

/** What the colours of a chart mean, a line for each. */
function drawLegend(pen, image, legend, {left, top, width}) {
  legend.forEach(({name, value, hue}, i) => {
    const y = top + i * lineHeight;
    const colour = image.querySelector(`[data-hue="${hue}"]`);
    const text = pen.fillStyle;
    if (colour) pen.fillStyle = getComputedStyle(colour).fill;
    pen.fillRect(left, y, 12, 12);
    pen.fillStyle = text;
    const room = pen.measureText(value).width + 12;
    pen.fillText(cut(pen, name, width - 20 - room), left + 20, y + 11);
    pen.fillText(value, left + width - room + 12, y + 11);
  });
}

/**
 * @param {SVGElement} image
 * @param {string} title above it
 * @param {string[]} of what it is of, the time first: below the title
 * @param {{name: string, value: string, hue: number}[]} legend what its colours mean: below it
 */
export async function savePicture(image, title, of, legend) {
  if (!image) return;
  const {width, height} = image.viewBox.baseVal;
  const source =
    `data:image/svg+xml,${encodeURIComponent(new XMLSerializer().serializeToString(withColours(image)))}`;
  const picture = new Image();
  picture.src = source;
  await picture.decode();
  const canvas = document.createElement('canvas');
  const pen = canvas.getContext('2d');
  const style = getComputedStyle(document.body);
  const [titleFont, font] = [`600 16px ${style.fontFamily}`, `13px ${style.fontFamily}`];
  pen.font = font;
  const lines = linesOf(pen, of.join('\u00a0· '), width);
  const head = 32 + lines.length * lineHeight;
  canvas.width = (width + 2 * pad) * 2;
  canvas.height = (height + 2 * pad + head + legend.length * lineHeight) * 2;
  pen.scale(2, 2);
  pen.fillStyle = style.backgroundColor;
  pen.fillRect(0, 0, canvas.width, canvas.height);
  pen.fillStyle = style.color;
  pen.font = titleFont;
  pen.fillText(cut(pen, title, width), pad, pad + 12);
  pen.font = font;
  lines.forEach((line, i) => pen.fillText(line, pad, pad + 34 + i * lineHeight));
  pen.drawImage(picture, pad, pad + head, width, height);
  const side = Math.min(width, 420);
  drawLegend(pen, image, legend, {left: pad + (width - side) / 2, top: pad + head + height, width: side});
  canvas.toBlob(blob => save(blob, `${[title, ...of.slice(0, 1)].join(', ')}.png`), 'image/png');
}

/** Lets the browser save a file. */
export function save(blob, name) {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name.replace(/[/\\:*?"<>|\u0000-\u001f]+/g, ' ').trim();
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
