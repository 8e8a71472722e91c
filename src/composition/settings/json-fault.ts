const TOKEN =
  /("(?:[ !#-[\]-\u{10ffff}]|\\(?:["\\/bfnrt]|u[\dA-Fa-f]{4}))*")|(-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[Ee][-+]?\d+)?|true|false|null)|([[\]{},:])/uy;
const BLANK = /[\t\n\r ]*/y;

/** The allowed next token. `first` means the first item of an array or object, or its end. */
type Expected = 'value' | 'first value' | 'key' | 'first key' | 'colon' | 'separator';

/**
 * The offset of the first token that is not valid JSON (RFC 8259). The message of JSON.parse has the position only in some cases,
 * and it quotes the text.
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

/** The allowed token after `token`; undefined if `token` itself is not allowed. Updates `open`, the open brackets. */
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
