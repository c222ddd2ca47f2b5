// Saves a chart as a picture: its SVG with the present colours, drawn into a PNG.

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

/**
 * @param {SVGElement} image
 * @param {string} title above it
 * @param {string[]} of what it is of, the time first: below the title
 */
export async function savePicture(image, title, of) {
  if (!image) return;
  const {width, height} = image.viewBox.baseVal;
  const pad = 24;
  const source =
    `data:image/svg+xml,${encodeURIComponent(new XMLSerializer().serializeToString(withColours(image)))}`;
  const picture = new Image();
  picture.src = source;
  await picture.decode();
  const canvas = document.createElement('canvas');
  canvas.width = (width + 2 * pad) * 2;
  const head = of.length ? 52 : 32;
  canvas.height = (height + 2 * pad + head) * 2;
  const pen = canvas.getContext('2d');
  const style = getComputedStyle(document.body);
  pen.scale(2, 2);
  pen.fillStyle = style.backgroundColor;
  pen.fillRect(0, 0, canvas.width, canvas.height);
  pen.fillStyle = style.color;
  pen.font = `600 16px ${style.fontFamily}`;
  pen.fillText(title, pad, pad + 12, width);
  pen.font = `13px ${style.fontFamily}`;
  pen.fillText(of.join(' · '), pad, pad + 34, width);
  pen.drawImage(picture, pad, pad + head, width, height);
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
