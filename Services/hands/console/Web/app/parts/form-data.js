// What a form shows, as it is when it opens: it may have been changed elsewhere since the page was drawn.

import {act} from './act.js';
import {openedDialog} from './dialog.js';

/** The page on which a form is read. */
let reading = null;

/**
 * @param {() => Promise<object>} read
 * @returns what it read; null: no form is to be opened, since it could not be read, which is said, or another
 *   form waits or is open, or another page
 */
export async function readForForm(read) {
  const [page, other] = [location.pathname, openedDialog()];
  if (reading === page) return null;
  reading = page;
  let value = null;
  // What was pressed has the focus, and shows that it is being done.
  const button = document.activeElement?.closest('button');
  await act(async () => {
    value = await read();
  }, {button});
  if (reading === page) reading = null;
  return location.pathname === page && openedDialog() === other ? value : null;
}
