/**
 * Finds the cycles of a graph as strongly connected components (Tarjan). A node with an edge to itself is a cycle too.
 *
 * @param arrows targets of the edges of each node. Targets that are not nodes are ignored
 * @returns the nodes of each cycle
 */
export function cyclesOf(arrows: ReadonlyMap<string, readonly string[]>): string[][] {
  const order = new Map<string, number>();
  const open: string[] = [];
  const isOpen = new Set<string>();
  const cycles: string[][] = [];

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
      const cycle = open.splice(open.indexOf(node));
      for (const member of cycle) isOpen.delete(member);
      if (cycle.length > 1 || targets.includes(node)) cycles.push(cycle);
    }
    return low;
  };
  for (const node of arrows.keys()) if (!order.has(node)) visit(node);
  return cycles;
}
