/** Draws the charts that are in the window at once, and the others afterwards, one a task, so that those are shown first. */

let waiting: (() => void)[] = [];
let timer: ReturnType<typeof setTimeout> | undefined;

/** @returns takes the drawing back, if it has not been made yet */
export function drawInTurn(element: Element, draw: () => void): () => void {
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
