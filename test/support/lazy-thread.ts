/** Operations of a thread for the tests of `LazyThreads`: one operation hangs, one exits, and all other operations succeed. */
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
