const TOKEN =
  /("(?:[ !#-[\]-\u{10ffff}]|\\(?:["\\/bfnrt]|u[\dA-Fa-f]{4}))*")|(-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[Ee][-+]?\d+)?|true|false|null)|([[\]{},:])/uy;
const BLANK = /[\t\n\r ]*/y;

/**
 * The token that is allowed next. `first value` and `first key` follow an opening bracket, so the closing bracket is allowed too.
 */
type Expected = 'value' | 'first value' | 'key' | 'first key' | 'colon' | 'separator';

/**
 * The offset of the first token that is not valid JSON (RFC 8259). The message of `JSON.parse` is not used, because it quotes the
 * text and does not always have the position.
 */
export function jsonFaultAt(text: string): number {
  const open: ('{' | '[')[] = [];
  let expected: Expected = 'value';
  let offset = 0;
  for (;;) {
    BLANK.lastIndex = offset;
    offset += BLANK.exec(text)?.[0].length ?? 0;
    TOKEN.lastIndex = offset;
    const [token = '', string, scalar] = TOKEN.exec(text) ?? [];
    const next = afterToken(expected, open, token, string !== undefined, scalar !== undefined);
    if (next === undefined) return offset;
    expected = next;
    offset += token.length;
  }
}

/**
 * Returns the token that is allowed after `token`; undefined if `token` itself is not allowed. Updates `open`, the list of
 * brackets that are not closed yet.
 */
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
