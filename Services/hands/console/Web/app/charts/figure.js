// A chart with its text, its table and its picture.

import {h} from '../h.js';
import {t} from '../words.js';

import {chart} from './element.js';
import {savePicture} from './picture.js';

/**
 * @param {object} options
 * @param {string} options.id unique on the page
 * @param {string} options.title heading of the figure
 * @param {any} options.text what the chart says, in a sentence
 * @param {object} options.model of `st-chart`
 * @param {{head: string[], rows: any[][]}} [options.table]
 * @param {any} [options.tools] controls beside the title
 * @param {any} [options.beside] what stands beside the chart, such as a legend
 * @param {string[]} [options.of] what it is of, the time first; the picture says so, and its file has the time in
 *   its name
 * @param {{name: string, value: string, hue: number}[]} [options.legend] what the colours mean, for the picture
 * @param {boolean} [options.plain] without table and picture, where a table is beside it
 */
export function figure({id, title, text, model, table, tools, beside, of = [], legend = [], plain = false}) {
  return h('figure', {class: beside ? 'chart with-legend' : 'chart', id},
    h('figcaption', {}, h('div', {class: 'figure-head'}, h('h2', {}, title), tools),
      text && h('p', {class: 'quiet'}, text)),
    h('div', {class: 'chart-place'}, chart(model), beside),
    !plain && table
      && h('div', {class: 'figure-foot'},
        h('details', {}, h('summary', {}, t('chart.table')), tableOf(table, title)),
        h('button', {
          type: 'button',
          class: 'plain small no-print',
          onclick: event =>
            savePicture(event.target.closest('figure').querySelector('svg[focusable]'), title, of, legend),
        },
          t('chart.picture'))));
}

/** A table whose first column names the row. */
export function tableOf({head, rows}, caption) {
  return h('div', {class: 'table-place', tabindex: '0', role: 'group', 'aria-label': caption},
    h('table', {}, h('caption', {class: 'hidden'}, caption),
      h('thead', {},
        h('tr', {}, head.map((text, i) => h('th', {scope: 'col', class: i > 0 ? 'number' : null}, text)))),
      h('tbody', {},
        rows.map(([first, ...rest]) => h('tr', {}, h('th', {scope: 'row'}, first),
                   rest.map(cell => h('td', {class: 'number'}, cell)))))));
}
