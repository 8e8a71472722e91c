import type { Command } from 'commander';
import { formatTable } from '../table.js';
import type { Terminal } from '../terminal.js';

/** What `weatherd doctor` has found out about one thing. */
export interface Finding {
  readonly check: string;
  /** `warn`: it works, but somebody should look at it. `fail`: the service cannot work, or will lose data. */
  readonly state: 'ok' | 'warn' | 'fail';
  /** One sentence, with what to do if the state is not `ok`. */
  readonly text: string;
}

/** Examines the machine, the settings and the data, and changes nothing. */
export type DoctorAction = () => Promise<readonly Finding[]>;

/** `weatherd doctor`. */
export function addDoctorCommand(program: Command, terminal: Terminal, diagnose: DoctorAction): void {
  program
    .command('doctor')
    .description('examine machine, settings, data, certificate and backups; exit status 1 if anything fails')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nIt changes nothing, and works with and without a running service.')
    .action(async ({ json = false }: { json?: boolean }) => {
      const findings = await diagnose();
      const rows = findings.map(({ state, check, text }) => [state, check, text]);
      terminal.print(
        json ? JSON.stringify({ findings }, null, 2) : formatTable(['STATE', 'CHECK', 'RESULT'], rows),
      );
      const failed = findings.filter(({ state }) => state === 'fail').length;
      if (failed > 0) throw new Error(`${failed} of ${findings.length} checks failed.`);
    });
}
