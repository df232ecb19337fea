/** The height of a line of the outline, in pixels. */
export const rowHeight = 28;
