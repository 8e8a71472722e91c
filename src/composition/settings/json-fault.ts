const TOKEN =
  /("(?:[ !#-[\]-\u{10ffff}]|\\(?:["\\/bfnrt]|u[\dA-Fa-f]{4}))*")|(-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[Ee][-+]?\d+)?|true|false|null)|([[\]{},:])/uy;
const BLANK = /[\t\n\r ]*/y;

/** What may come next: `first` stands for the first thing in an array or object, which may be its end as well. */
type Expected = 'value' | 'first value' | 'key' | 'first key' | 'colon' | 'separator';

/**
 * Where a text stops being JSON (RFC 8259): the offset of the first token that cannot stand there. The parser's own message
 * names the place in some cases only, and quotes the text around it.
 */
export function jsonFaultAt(text: string): number {
  const open: ('{' | '[')[] = [];
  let expected: Expected = 'value';
  let at = 0;
  for (;;) {
    BLANK.lastIndex = at;
    at += BLANK.exec(text)?.[0].length ?? 0;
    TOKEN.lastIndex = at;
    const [token = '', string, scalar] = TOKEN.exec(text) ?? [];
    const next = afterToken(expected, open, token, string !== undefined, scalar !== undefined);
    if (next === undefined) return at;
    expected = next;
    at += token.length;
  }
}

/** What is expected behind `token`, or undefined when it cannot stand there. Keeps `open` up to date. */
function afterToken(
  expected: Expected,
  open: ('{' | '[')[],
  token: string,
  isString: boolean,
  isScalar: boolean,
): Expected | undefined {
  const inner = open.at(-1);
  switch (expected) {
    case 'colon':
      return token === ':' ? 'value' : undefined;
    case 'key':
    case 'first key':
      if (isString) return 'colon';
      return expected === 'first key' && token === '}' ? close(open) : undefined;
    case 'separator':
      if (token === ',' && inner !== undefined) return inner === '{' ? 'key' : 'value';
      return (token === '}' && inner === '{') || (token === ']' && inner === '[') ? close(open) : undefined;
    default:
      if (isString || isScalar) return 'separator';
      if (token === ']' && expected === 'first value') return close(open);
      if (token !== '{' && token !== '[') return undefined;
      open.push(token);
      return token === '{' ? 'first key' : 'first value';
  }
}

function close(open: unknown[]): Expected {
  open.pop();
  return 'separator';
}
