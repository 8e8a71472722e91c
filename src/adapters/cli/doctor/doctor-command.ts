import type { Command } from 'commander';
import { formatTable } from '../table.js';
import type { Terminal } from '../terminal.js';

/** A result of `weatherd doctor`. */
export interface Finding {
  readonly check: string;
  /**
   * `warn` means that the service works, but a person should look at the result. `fail` means that the service cannot work, or
   * will lose data.
   */
  readonly state: 'ok' | 'warn' | 'fail';
  /** The result as one sentence. If the state is not `ok`, the sentence says what to do. */
  readonly text: string;
}

export interface DoctorActions {
  /** Examines the machine, the settings and the data, and changes nothing. */
  diagnose(): Promise<readonly Finding[]>;
  /** Describes the objects of the service, each with its dependencies, as text. */
  graph(): Promise<string>;
}

/** Adds the command `weatherd doctor`. */
export function addDoctorCommand(program: Command, terminal: Terminal, actions: () => DoctorActions): void {
  program
    .command('doctor')
    .description('examine machine, settings, data, certificate and backups; exit status 1 if anything fails')
    .option('--json', 'print JSON')
    .option('--graph', 'print the objects of the service with their dependencies, and examine nothing')
    .addHelpText('after', '\nThe command changes nothing. It works with and without a running service.')
    .action(async ({ json = false, graph = false }: { json?: boolean; graph?: boolean }) => {
      if (graph) {
        terminal.print(await actions().graph());
        return;
      }
      const findings = await actions().diagnose();
      const rows = findings.map(({ state, check, text }) => [state, check, text]);
      if (json) terminal.printJson({ findings });
      else terminal.print(formatTable(['STATE', 'CHECK', 'RESULT'], rows));
      const failed = findings.filter(({ state }) => state === 'fail').length;
      if (failed > 0) throw new Error(`${failed} of ${findings.length} checks failed.`);
    });
}
