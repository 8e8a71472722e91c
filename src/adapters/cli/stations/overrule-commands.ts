import { type Command, Option } from 'commander';
import { AddOverrule } from '#application/observations/overrules/add-overrule.js';
import { FindLastingSteps } from '#application/observations/overrules/find-lasting-steps.js';
import { ListOverrules } from '#application/observations/overrules/list-overrules.js';
import { RemoveOverrule } from '#application/observations/overrules/remove-overrule.js';
import { DescribeStation } from '#application/observations/read/describe-station.js';
import { COMMAND_LINE } from '#domain/accounts/audit-event.js';
import type { LastingStep } from '#domain/weather/quality/lasting-steps.js';
import { type Overrule, OVERRULE_VERDICTS, type OverruleVerdict } from '#domain/weather/quality/overrule.js';
import { variableNumbered } from '#domain/weather/variables.js';
import type { WithContext } from '../command-context.js';
import { formatTable } from '../table.js';
import type { Terminal } from '../terminal.js';
import { parseTime } from './time-option.js';

const isoTime = (milliseconds: number) => new Date(milliseconds).toISOString();

interface AddOptions {
  readonly station: string;
  readonly variable: string;
  readonly from: number | string;
  readonly to: number | string;
  readonly verdict: OverruleVerdict;
  readonly reason: string;
}

/** Largest number of rows that are searched for steps: nine years of minutes. */
const MOST_ROWS = 5_000_000;

interface StepsOptions {
  readonly station: string;
  readonly from?: number | string;
  readonly to?: number | string;
}

/** Adds the command that makes an overrule: `weatherd overrule add`, which is `weatherd observations judge` too. */
export function addOverrule(
  parent: Command,
  name: string,
  terminal: Terminal,
  withContext: WithContext,
): void {
  parent
    .command(name)
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
}

/** `weatherd overrule add|list|steps|remove`. */
export function addOverruleCommands(program: Command, terminal: Terminal, withContext: WithContext): void {
  const overrule = program.command('overrule').description('mark values of a station as bad or as good');

  addOverrule(overrule, 'add', terminal, withContext);

  overrule
    .command('list')
    .description('list the overrules of a station, in the order in which they were made; the last one counts')
    .requiredOption('--station <id>', 'id of the station')
    .option('--json', 'print JSON')
    .action(({ station, json = false }: { station: string; json?: boolean }) =>
      withContext(async ({ useCase }) => {
        const overrules = await useCase(ListOverrules).execute(station);
        terminal.print(json ? toJson(overrules) : formatOverrules(overrules));
      }),
    );

  overrule
    .command('steps')
    .description('list changes of level that did not return soon, whose values may need an overrule')
    .requiredOption('--station <id>', 'id of the station')
    .option('--from <time>', 'from this time on; a date is a day of the station', parseTime)
    .option('--to <time>', 'before this time; a date is the beginning of that day', parseTime)
    .action(({ station, from, to }: StepsOptions) =>
      withContext(async ({ useCase }) => {
        const described = await useCase(DescribeStation).execute(station, undefined, { audience: 'users' });
        const range = { from, to, cursor: undefined, variables: undefined, limit: MOST_ROWS };
        const { steps } = await useCase(FindLastingSteps).execute(described, range);
        terminal.print(formatSteps(steps));
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

/** The overrules with the names of the API. */
function toJson(overrules: readonly Overrule[]): string {
  const shown = overrules.map((one) => ({
    id: one.id,
    variable: variableNumbered(one.variable).name,
    from: isoTime(one.from),
    to: isoTime(one.to),
    verdict: one.verdict,
    reason: one.reason,
    made_by: one.madeBy,
    made_at: isoTime(one.madeAt),
  }));
  return JSON.stringify(shown, null, 2);
}

function formatSteps(steps: readonly LastingStep[]): string {
  const rows = steps.map(({ variable, time, change, returned }) => {
    const { name, unit } = variableNumbered(variable);
    const size = `${change > 0 ? '+' : ''}${Number(change.toPrecision(3))} ${unit}`;
    return [name, isoTime(time), size, returned === null ? '-' : isoTime(returned)];
  });
  return formatTable(['VARIABLE', 'TIME', 'CHANGE', 'RETURNED'], rows);
}

function formatOverrules(overrules: readonly Overrule[]): string {
  const rows = overrules.map((one) => [
    one.id,
    variableNumbered(one.variable).name,
    isoTime(one.from),
    isoTime(one.to),
    one.verdict,
    isoTime(one.madeAt),
    one.madeBy ?? '-',
    one.reason,
  ]);
  return formatTable(['ID', 'VARIABLE', 'FROM', 'TO', 'VERDICT', 'MADE', 'BY', 'REASON'], rows);
}
