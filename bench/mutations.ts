import { type AnyNode, type Node, parse } from 'acorn';

/** A change of one token or statement: `text` replaces the characters from `from` to before `to`. */
export interface Mutation {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

const OPERATORS: Readonly<Record<string, string>> = {
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '===': '!==',
  '!==': '===',
  '+': '-',
  '-': '+',
  '*': '/',
  '/': '*',
  '%': '*',
  '&&': '||',
  '||': '&&',
  '+=': '-=',
  '-=': '+=',
  '*=': '/=',
  '/=': '*=',
  '&&=': '||=',
  '||=': '&&=',
  '++': '--',
  '--': '++',
};

/**
 * Finds possible changes in a module: numbers plus or minus one, other operators, exchanged true and false, other conditions and
 * returned values, and removed statements. Texts and the messages of errors are not changed.
 *
 * @param chance returns a number in `[0, 1)`, which determines whether a number is increased or decreased
 */
export function mutationsOf(code: string, chance: () => number): Mutation[] {
  const found: Mutation[] = [];
  const replace = ({ start, end }: Node, text: string) => found.push({ from: start, to: end, text });
  const replaceOperator = (operator: string, after: number) => {
    const text = OPERATORS[operator];
    if (text === undefined) return;
    const from = code.indexOf(operator, after);
    found.push({ from, to: from + operator.length, text });
  };
  const visit = (node: AnyNode): void => {
    switch (node.type) {
      case 'Literal':
        if (typeof node.value === 'number') replace(node, String(node.value + (chance() < 0.5 ? 1 : -1)));
        if (typeof node.value === 'boolean') replace(node, String(!node.value));
        break;
      case 'BinaryExpression':
      case 'LogicalExpression':
      case 'AssignmentExpression':
        if (!isText(node.left) && !isText(node.right)) replaceOperator(node.operator, node.left.end);
        break;
      case 'UpdateExpression':
        replaceOperator(node.operator, node.prefix ? node.start : node.argument.end);
        break;
      case 'UnaryExpression':
        if (node.operator === '!') replace(node, code.slice(node.argument.start, node.argument.end));
        break;
      case 'IfStatement':
      case 'ConditionalExpression':
        replace(node.test, `!(${code.slice(node.test.start, node.test.end)})`);
        break;
      case 'ReturnStatement':
        replace(node, node.argument ? 'return;' : ';');
        break;
      case 'ExpressionStatement':
        if (!('directive' in node) && !isSuper(node.expression)) replace(node, ';');
        break;
      case 'ThrowStatement':
        return void replace(node, ';');
      case 'ImportDeclaration':
        return;
    }
    for (const child of Object.values(node).flat()) if (isNode(child)) visit(child);
  };
  visit(parse(code, { ecmaVersion: 'latest', sourceType: 'module' }));
  return found;
}

function isText(node: AnyNode): boolean {
  if (node.type === 'BinaryExpression') return isText(node.left) || isText(node.right);
  return node.type === 'TemplateLiteral' || (node.type === 'Literal' && typeof node.value === 'string');
}

function isSuper(node: AnyNode): boolean {
  return node.type === 'CallExpression' && node.callee.type === 'Super';
}

function isNode(value: unknown): value is AnyNode {
  return typeof value === 'object' && value !== null && 'type' in value;
}
