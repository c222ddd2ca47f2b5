// <st-chart>: draws itself as wide as its place, and is read value by value with the arrow keys or the
// pointer.

import {h, svg} from '../h.js';

const rootSize = () => parseFloat(getComputedStyle(document.documentElement).fontSize);
const heightOf = (model, width) =>
  typeof model?.height === 'function' ? model.height(width) : model?.height ?? 160;

/** Attributes of the role `slider` that `img` may not have. */
const SLIDER_ATTRIBUTES =
  ['tabindex', 'aria-valuemin', 'aria-valuemax', 'aria-valuenow', 'aria-valuetext', 'aria-orientation'];

/**
 * A model: `height` in CSS pixels, also as a function of the width; `label`; `draw(width, height, chosen)`
 * returns shapes of SVG; `stops(width)` returns `{x, y, text}` (`y` may be left out) for each value, in order
 * (none: it is only an image); `choose(index)` is called for a press. `of` names what its
 * values are: where it changes, the same place chooses something else (parts/settle.js).
 */
class Chart extends HTMLElement {
  drawsItself = true;
  #model = null;
  /** In the units of the drawing, 16 to the size of the page's type: charts grow with it. */
  #width = 0;
  #scale = 1;
  #chosen = -1;
  #observer = new ResizeObserver(([entry]) => {
    const scale = rootSize() / 16;
    const width = Math.floor(entry.contentRect.width / scale);
    if (width && (width !== this.#width || scale !== this.#scale)) {
      // A narrower chart may have fewer values, at other numbers.
      if (this.#stops(width).length !== this.#stops(this.#width).length) this.#chosen = -1;
      this.#width = width;
      this.#scale = scale;
      this.#draw();
    }
  });

  set model(model) {
    const isOther = model.of !== this.#model?.of;
    this.#model = model;
    if (isOther || this.#chosen >= this.#stops().length) this.#chosen = -1;
    if (model.of === undefined) delete this.dataset.of;
    else this.dataset.of = model.of;
    if (this.#width) this.#draw();
  }
  get model() { return this.#model; }

  connectedCallback() {
    const scale = rootSize() / 16;
    this.style.setProperty(
      '--chart-height', `${heightOf(this.#model, (this.clientWidth || 600) / scale) * scale}px`);
    this.#observer.observe(this);
    if (!this.#isListening) {
      this.#isListening = true;
      this.addEventListener('keydown', event => this.#key(event));
      this.addEventListener('pointermove', event => this.#point(event));
      this.addEventListener('pointerleave', () => {
        if (document.activeElement !== this) this.#choose(-1);
      });
      this.addEventListener('blur', () => this.#choose(-1));
      this.addEventListener('click', event => {
        this.#point(event);
        this.#model.choose?.(this.#chosen, this.#width);
      });
    }
  }
  #isListening = false;
  disconnectedCallback() {
    this.#observer.disconnect();
    this.#width = 0;
  }

  #stops(width = this.#width) { return this.#model?.stops?.(width) ?? []; }

  #draw() {
    const model = this.#model;
    if (!model) return;
    const height = heightOf(model, this.#width);
    this.style.setProperty('--chart-height', `${height * this.#scale}px`);
    const image = svg('svg', {
      width: this.#width * this.#scale,
      height: height * this.#scale,
      viewBox: `0 0 ${this.#width} ${height}`,
      'aria-hidden': 'true',
      focusable: 'false',
    },
      model.draw(this.#width, height, this.#chosen));
    this.replaceChildren(image);
    const stops = this.#stops();
    if (stops.length === 0) {
      for (const name of SLIDER_ATTRIBUTES) this.removeAttribute(name);
      this.setAttribute('role', 'img');
      this.setAttribute('aria-label', model.label);
      return;
    }
    const attributes = {
      role: 'slider',
      tabindex: '0',
      'aria-label': model.label,
      'aria-valuemin': 0,
      'aria-valuemax': stops.length - 1,
      'aria-valuenow': Math.max(0, this.#chosen),
      'aria-valuetext': stops[this.#chosen]?.text ?? model.label,
      'aria-orientation': 'horizontal',
    };
    for (const [name, value] of Object.entries(attributes)) this.setAttribute(name, value);
    if (this.#chosen >= 0) {
      const {x, text} = stops[this.#chosen];
      const tip = h('div', {class: 'tip', 'aria-hidden': 'true'}, text);
      this.append(tip);
      const half = tip.offsetWidth / 2;
      const most = this.#width * this.#scale - half;
      tip.style.setProperty('--x', `${Math.min(most, Math.max(half, x * this.#scale))}px`);
    }
  }

  #choose(index) {
    if (index === this.#chosen) return;
    this.#chosen = index;
    if (this.#width) this.#draw();
  }

  #key(event) {
    const last = this.#stops().length - 1;
    if (last < 0) return;
    const at = this.#chosen;
    const to = {
      ArrowRight: at + 1,
      ArrowUp: at + 1,
      ArrowLeft: at < 0 ? last : at - 1,
      ArrowDown: at < 0 ? last : at - 1,
      Home: 0,
      End: last,
      PageUp: at + 7,
      PageDown: at - 7
    }[event.key];
    if (to !== undefined) {
      event.preventDefault();
      this.#choose(Math.min(last, Math.max(0, to)));
    } else if (event.key === 'Enter' || event.key === ' ') {
      event.preventDefault();
      // Nothing is chosen yet: the first value is shown and read out, and the next Enter presses it.
      if (at < 0) this.#choose(0);
      else if (!event.repeat) this.#model.choose?.(at, this.#width);
    } else if (event.key === 'Escape' && at >= 0) this.#choose(-1);
  }

  #point(event) {
    const stops = this.#stops();
    if (stops.length === 0) return;
    const box = this.getBoundingClientRect();
    const [x, y] = [event.clientX - box.left, event.clientY - box.top].map(at => at / this.#scale);
    const distance = stop => Math.abs(stop.x - x) + (stop.y === undefined ? 0 : 3 * Math.abs(stop.y - y));
    let best = 0;
    stops.forEach((stop, i) => {
      if (distance(stop) < distance(stops[best])) best = i;
    });
    this.#choose(best);
  }
}
customElements.define('st-chart', Chart);

export const chart = model => h('st-chart', {'.model': model});
