/** Loads the code of a document as a module, which can use the given names. */
export async function loadCode(
  code: string,
  names: Readonly<Record<string, unknown>>,
): Promise<Readonly<Record<string, unknown>>> {
  const key = `document${Math.random()}`;
  Object.assign(globalThis, { [key]: names });
  const given = Object.keys(names).join(', ');
  const source = `const { ${given} } = globalThis[${JSON.stringify(key)}];\n${code}`;
  return (await import(`data:text/javascript,${encodeURIComponent(source)}`)) as Readonly<
    Record<string, unknown>
  >;
}
