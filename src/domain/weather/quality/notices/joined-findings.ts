import type { NoticeFacts } from './notice.js';
import type { Finding } from './notice-check.js';

/**
 * Joins findings of the same variable that overlap or touch and are of the same group. The joined finding has the facts of its part
 * with the largest first fact.
 *
 * @param findings in ascending order of `from`
 */
export function joinedFindings(
  findings: readonly Finding[],
  groupOf: (facts: NoticeFacts) => number = () => 0,
): Finding[] {
  const joined: Finding[] = [];
  for (const finding of findings) {
    const last = joined.findLast(({ variable }) => variable === finding.variable);
    if (last === undefined || finding.from > last.to || groupOf(last.facts) !== groupOf(finding.facts)) {
      joined.push(finding);
      continue;
    }
    joined[joined.indexOf(last)] = {
      ...last,
      to: Math.max(last.to, finding.to),
      facts: sizeOf(finding) > sizeOf(last) ? finding.facts : last.facts,
      comparedWith: [...new Set([...last.comparedWith, ...finding.comparedWith])],
    };
  }
  return joined;
}

function sizeOf({ facts }: Finding): number {
  return Math.abs(Object.values(facts)[0] ?? 0);
}
