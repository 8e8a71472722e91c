/** Operations of a thread for the tests of `LazyThreads`: one hangs, one exits, all others succeed. */
export default async function perform(operation: string): Promise<string> {
  switch (operation) {
    case 'hang':
      return new Promise(() => undefined);
    case 'exit':
      // oxlint-disable-next-line unicorn/no-process-exit
      process.exit(3);
    default:
      return operation;
  }
}
