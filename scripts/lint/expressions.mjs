// A plugin of oxlint for the regular expressions of `src`: none takes time that grows faster than its text, and one that is made
// of text at run time has a reason.
import regexp from 'regexp-ast-analysis';
import scslre from 'scslre';

/** A count of a thousand or more, `{2000}` or `{1,2000}`: a loop of so many turns is as slow as one without an end. */
const LARGE_COUNT = /(?<!\\)\{(?:\d{4,}|\d+,\d{4,})\}/g;

/** @returns why the time of an expression can grow faster than its text; undefined if it cannot */
export function faultOf(source, flags) {
  const { reports, parsed } = scslre.analyse({ source: source.replaceAll(LARGE_COUNT, '+'), flags });
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
  return others.length > 0 || elements.length !== 1 || elements[0].type === 'Quantifier'
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

/** The text of a literal, a template without values, or `String.raw` of one; undefined for others. */
function constantText(node) {
  if (node?.type === 'Literal') return typeof node.value === 'string' ? node.value : undefined;
  if (node?.type === 'TaggedTemplateExpression')
    return node.quasi.quasis.map(({ value }) => value.raw).join('0');
  if (node?.type === 'TemplateLiteral') return node.quasis.map(({ value }) => value.cooked).join('0');
  return undefined;
}

const slow = {
  create(context) {
    const check = (node, source, flags) => {
      const fault = faultOf(source, flags);
      if (fault !== undefined)
        context.report({ node, message: `This takes time that grows faster than the text: ${fault}.` });
    };
    const checkMade = (node) => {
      const source = node.callee.name === 'RegExp' ? constantText(node.arguments[0]) : undefined;
      if (source !== undefined) check(node, source, constantText(node.arguments[1]) ?? '');
    };
    return {
      Literal: (node) => node.regex && check(node, node.regex.pattern, node.regex.flags),
      NewExpression: checkMade,
      CallExpression: checkMade,
    };
  },
};

/** The comment before an expression that is made of text: what the text is, and why it does no harm. */
const REASON = /^ Expression of /;
/** Methods of texts that make an expression of an argument that is a text. */
const METHODS = new Set(['match', 'matchAll', 'search']);

const built = {
  create(context) {
    const check = (node) => {
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
    return {
      // Also another name for the class.
      Identifier: (node) => {
        if (node.name === 'RegExp' && !isTypeOrTest(node.parent)) check(node);
      },
      CallExpression(node) {
        const { callee, arguments: given } = node;
        if (METHODS.has(callee.property?.name) && given.length === 1 && isText(given[0], context))
          check(node);
      },
    };
  },
};

function isTypeOrTest({ type, operator }) {
  return type.startsWith('TS') || operator === 'instanceof';
}

/** Whether it is certainly a text, and no expression. */
function isText(node, context) {
  if (constantText(node) !== undefined || node.type === 'BinaryExpression') return true;
  if (node.type !== 'Identifier') return false;
  for (let scope = context.sourceCode.getScope(node); scope !== null; scope = scope.upper) {
    const variable = scope.set.get(node.name);
    const initial = variable?.defs[0]?.node.init;
    if (variable !== undefined) return initial ? isText(initial, context) : false;
  }
  return false;
}

export default { meta: { name: 'expressions' }, rules: { slow, built } };
