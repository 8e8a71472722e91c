/**
 * The command that a command line names, such as `import`: its first argument after `--config`. An option such as `--help` counts
 * as a command. This function has a file of its own, because it is called before the modules of the commands are loaded.
 *
 * @param argv arguments without the interpreter and the script
 * @returns undefined if no command is named; the command is `serve` then
 */
export function namedCommand([first, ...others]: readonly string[]): string | undefined {
  if (first?.startsWith('--config=') === true) return others[0];
  return first === '--config' && others.length > 0 ? others[1] : first;
}
