import { type Command, Option } from 'commander';
import { AddOverrule } from '../../../application/observations/overrules/add-overrule.js';
import { ListOverrules } from '../../../application/observations/overrules/list-overrules.js';
import { RemoveOverrule } from '../../../application/observations/overrules/remove-overrule.js';
import { COMMAND_LINE } from '../../../domain/accounts/audit-event.js';
import {
  type Overrule,
  OVERRULE_VERDICTS,
  type OverruleVerdict,
} from '../../../domain/weather/quality/overrule.js';
import { variableNumbered } from '../../../domain/weather/variables.js';
import type { WithContext } from '../command-context.js';
import { formatTable } from '../table.js';
import type { Terminal } from '../terminal.js';
import { parseTime } from './time-option.js';

interface AddOptions {
  readonly station: string;
  readonly variable: string;
  readonly from: number | string;
  readonly to: number | string;
  readonly verdict: OverruleVerdict;
  readonly reason: string;
}

/** `weatherd overrule add|list|remove`. */
export function addOverruleCommands(program: Command, terminal: Terminal, withContext: WithContext): void {
  const overrule = program.command('overrule').description('mark values of a station as bad or as good');

  overrule
    .command('add')
    .description('replace the verdict of quality control on a range of values; the values stay as they are')
    .requiredOption('--station <id>', 'id of the station')
    .requiredOption('--variable <name>', 'name of the variable')
    .requiredOption('--from <time>', 'from this time on; a date is a day of the station', parseTime)
    .requiredOption('--to <time>', 'before this time; a date is the beginning of that day', parseTime)
    .addOption(
      new Option('--verdict <verdict>', 'what the values are')
        .choices(OVERRULE_VERDICTS)
        .makeOptionMandatory(),
    )
    .requiredOption('--reason <text>', 'for people')
    .action(({ station, ...request }: AddOptions) =>
      withContext(async ({ useCase }) => {
        const { id } = await useCase(AddOverrule).execute(station, request, COMMAND_LINE);
        terminal.print(
          `Marked ${request.variable} of ${station} as ${request.verdict}; weatherd overrule remove --station ${station} ${id} ` +
            'undoes it.',
        );
      }),
    );

  overrule
    .command('list')
    .description('list the overrules of a station, in the order in which they were made; the last one counts')
    .requiredOption('--station <id>', 'id of the station')
    .action(({ station }: { station: string }) =>
      withContext(async ({ useCase }) => {
        terminal.print(formatOverrules(await useCase(ListOverrules).execute(station)));
      }),
    );

  overrule
    .command('remove <overrule>')
    .description('remove an overrule; the verdicts are those of quality control again')
    .requiredOption('--station <id>', 'id of the station')
    .action((id: string, { station }: { station: string }) =>
      withContext(async ({ useCase }) => {
        await useCase(RemoveOverrule).execute(station, id, COMMAND_LINE);
        terminal.print(`Removed the overrule ${id} of ${station}.`);
      }),
    );
}

function formatOverrules(overrules: readonly Overrule[]): string {
  const time = (value: number) => new Date(value).toISOString();
  const rows = overrules.map((one) => [
    one.id,
    variableNumbered(one.variable).name,
    time(one.from),
    time(one.to),
    one.verdict,
    time(one.madeAt),
    one.madeBy ?? '-',
    one.reason,
  ]);
  return formatTable(['ID', 'VARIABLE', 'FROM', 'TO', 'VERDICT', 'MADE', 'BY', 'REASON'], rows);
}
