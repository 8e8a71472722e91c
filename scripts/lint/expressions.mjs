// A plugin of oxlint for the regular expressions of `src`: none takes time that grows faster than its text, and one that is made
// of text at run time has a reason.
import regexp from 'regexp-ast-analysis';
import scslre from 'scslre';

/** @returns why the time of an expression can grow faster than its text; undefined if it cannot */
export function faultOf(source, flags) {
  const { reports, parsed } = scslre.analyse({ source, flags });
  const [report] = reports;
  if (report === undefined) return restartOf(parsed);
  const loops = [report.startQuant, report.quant, report.endQuant].filter((loop) => loop !== undefined);
  return `loops share a text in many ways: ${loops.map(({ raw }) => raw).join(' and ')}`;
}

/**
 * An expression that is tried at every character must not be able to begin within the text of one of its loops, because each try
 * runs through the rest of that text. scslre reports this for a loop at the start alone.
 */
function restartOf({ pattern, flags }) {
  if (flags.sticky) return undefined;
  for (const alternative of pattern.alternatives.filter((one) => !isAnchored(one, flags))) {
    const { char: start } = regexp.getFirstConsumedChar(alternative, 'ltr', flags);
    const kept = charactersBefore(alternative, flags);
    const loop = loopsIn(alternative).find((found) => {
      const { chars } = regexp.getConsumedChars(found, flags);
      return canFailAfter(found) && !chars.isDisjointWith(start) && !kept?.isSupersetOf(chars);
    });
    if (loop !== undefined) return `it can begin again within its loop ${loop.raw}`;
  }
  return undefined;
}

/** Whether it is tried at the start of the text alone. */
function isAnchored({ elements: [first] }, { multiline }) {
  return !multiline && first?.type === 'Assertion' && first.kind === 'start';
}

/** The characters that must not stand before the start: `[^,]` of `(?<![^,])`. */
function charactersBefore({ elements: [first] }, flags) {
  if (first?.type !== 'Assertion' || first.kind !== 'lookbehind' || !first.negate) return undefined;
  const [{ elements }, ...others] = first.alternatives;
  return others.length > 0 || elements.length !== 1
    ? undefined
    : regexp.toUnicodeSet(elements[0], flags).chars;
}

function loopsIn(node) {
  if (node.type === 'Quantifier') return node.max === Infinity ? [node] : loopsIn(node.element);
  return (node.alternatives ?? node.elements ?? []).flatMap(loopsIn);
}

/** Whether something behind a loop can refuse the text after it. */
function canFailAfter(node) {
  const { parent } = node;
  if (parent.type === 'Pattern') return false;
  if (parent.type === 'Assertion') return true;
  if (parent.type === 'Alternative') {
    const behind = parent.elements.slice(parent.elements.indexOf(node) + 1);
    if (behind.some((element) => element.type !== 'Quantifier' || element.min > 0)) return true;
  }
  return canFailAfter(parent);
}

const slow = {
  create: (context) => ({
    Literal(node) {
      const fault = node.regex && faultOf(node.regex.pattern, node.regex.flags);
      if (fault)
        context.report({ node, message: `This takes time that grows faster than the text: ${fault}.` });
    },
  }),
};

/** The comment before an expression that is made of text: what the text is, and why it does no harm. */
const REASON = /^ Expression of /;

const built = {
  create(context) {
    const check = (node) => {
      if (node.callee.name !== 'RegExp') return;
      const line = node.loc.start.line;
      const hasReason = context.sourceCode
        .getAllComments()
        .some(({ value, loc }) => REASON.test(value) && loc.end.line < line && loc.end.line >= line - 3);
      if (!hasReason)
        context.report({
          node,
          message:
            'The text of an expression needs a reason before it: // Expression of WHAT: WHY IT IS HARMLESS',
        });
    };
    return { NewExpression: check, CallExpression: check };
  },
};

export default { meta: { name: 'expressions' }, rules: { slow, built } };
