/**
 * Finds the circles of a graph: each list has nodes that can all be reached from each other (Tarjan's strongly
 * connected components). Nodes that point to themselves are included.
 *
 * @param arrows the targets of each node. Targets that are not nodes are ignored.
 */
export function circlesOf(arrows: ReadonlyMap<string, readonly string[]>): string[][] {
  const order = new Map<string, number>();
  const open: string[] = [];
  const isOpen = new Set<string>();
  const circles: string[][] = [];

  const visit = (node: string): number => {
    let low = order.size;
    order.set(node, low);
    open.push(node);
    isOpen.add(node);
    const targets = (arrows.get(node) ?? []).filter((target) => arrows.has(target));
    for (const target of targets) {
      if (!order.has(target)) low = Math.min(low, visit(target));
      else if (isOpen.has(target)) low = Math.min(low, order.get(target) as number);
    }
    if (low === order.get(node)) {
      const circle = open.splice(open.indexOf(node));
      for (const member of circle) isOpen.delete(member);
      if (circle.length > 1 || targets.includes(node)) circles.push(circle);
    }
    return low;
  };
  for (const node of arrows.keys()) if (!order.has(node)) visit(node);
  return circles;
}
