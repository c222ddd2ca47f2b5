/** Milliseconds after a change, or after a press, within which another press was meant for what was there before. */
export const PAUSE = 700;
