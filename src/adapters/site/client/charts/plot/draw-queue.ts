/**
 * Functions that draw the charts outside of the window. They are called later, one in each task, so that visible charts appear
 * first.
 */

let waiting: (() => void)[] = [];
let timer: ReturnType<typeof setTimeout> | undefined;

/**
 * Draws a chart immediately if it is visible; otherwise draws it in a later task.
 *
 * @returns a function that cancels the drawing if it has not started
 */
export function scheduleDrawing(element: Element, draw: () => void): () => void {
  const { top, bottom } = element.getBoundingClientRect();
  if (bottom > 0 && top < innerHeight) {
    draw();
    return () => {};
  }
  waiting.push(draw);
  timer ??= setTimeout(drawNext);
  return () => {
    waiting = waiting.filter((other) => other !== draw);
  };
}

function drawNext(): void {
  waiting.shift()?.();
  timer = waiting.length === 0 ? undefined : setTimeout(drawNext);
}
