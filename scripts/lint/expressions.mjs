// A plugin of oxlint for the regular expressions of `src`. It reports a regular expression whose time can grow faster than the
// length of the text, and a regular expression that is built from text at run time if no comment explains the text.
import regexp from 'regexp-ast-analysis';
import scslre from 'scslre';

/**
 * A repetition of 1,000 times or more in a regular expression: `{2000}` or `{1,2000}`. Its loop is as slow as a loop without a
 * limit.
 */
const LARGE_COUNT = /(?<!\\)\{(?:\d{4,}|\d+,\d{4,})\}/g;

/** @returns the reason why the time of a regular expression can grow faster than the length of the text; undefined if it cannot */
export function faultOf(source, flags) {
  const { reports, parsed } = scslre.analyse({ source: source.replaceAll(LARGE_COUNT, '+'), flags });
  const [report] = reports;
  if (report === undefined) return restartOf(parsed);
  const loops = [report.startQuant, report.quant, report.endQuant].filter((loop) => loop !== undefined);
  return `loops share a text in many ways: ${loops.map(({ raw }) => raw).join(' and ')}`;
}

/**
 * Finds a loop because of which the time of a regular expression grows with the square of the length of the text. Example:
 * `2\d+x` and the text `2222…`. A regular expression without an anchor is tried at each character of a text, and here each
 * attempt runs through all digits after it. This happens if a match can begin with a character that the loop matches too.
 *
 * scslre reports this fault only for a loop at the start of the regular expression.
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

/** Whether an alternative of a regular expression is tried only at the start of the text. */
function isAnchored({ elements: [first] }, { multiline }) {
  return !multiline && first?.type === 'Assertion' && first.kind === 'start';
}

/**
 * The characters that must not precede a match: `[^,]` in `(?<![^,])`. Undefined if the alternative does not start in this way.
 */
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

/** Whether a regular expression can still fail after a loop in it. */
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

/** The text of a string literal, a template or a tagged template; undefined for other nodes. Values in a template count as `0`. */
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

/** The comment that must precede a regular expression that is built from text. The comment says why the text is harmless. */
const REASON = /\bexpression\b/i;
/** Methods of strings that convert a string argument to a regular expression. */
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
            'An expression that is built from text needs a comment before it: // Expression of WHICH TEXT: WHY IT IS HARMLESS',
        });
    };
    return {
      // Each use of `RegExp` is reported, and not only `new RegExp(…)`: code can put the class into a variable with another name,
      // and create regular expressions with that variable.
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

/** Whether a node is certainly a string, and not a regular expression. */
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
