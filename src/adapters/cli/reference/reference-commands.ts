import type { Command } from 'commander';
import { UNIT_SYSTEMS, unitIn, unitsOf } from '#domain/weather/units.js';
import { type Variable, VARIABLES } from '#domain/weather/variables.js';
import { formatTable } from '../table.js';
import type { Terminal } from '../terminal.js';

/** Adds the commands that print the catalogue of variables. They need no data. */
export function addReferenceCommands(program: Command, terminal: Terminal): void {
  addReference(program, terminal, {
    name: 'variables',
    description: 'print the variables that a station can measure, with their gross limits',
    head: ['variable', 'unit', 'lowest', 'highest', 'value of longer intervals'],
    row: ({ name, unit, limits: { min, max, perMinute }, aggregation }) => [
      name,
      unit,
      String(min),
      `${max}${perMinute === true ? ' a minute' : ''}`,
      aggregation === 'direction' ? 'vector mean' : aggregation,
    ],
    json: ({ name, unit, limits, aggregation, period }) => ({ name, unit, limits, aggregation, period }),
  });
  addReference(program, terminal, {
    name: 'units',
    description:
      'print the units of the variables: the unit in each unit system, and all units in which values can be sent',
    head: ['variable', ...UNIT_SYSTEMS, 'can be sent in'],
    row: (variable) => [variable.name, ...ofSystems(variable), unitsOf(variable).join(', ')],
    json: (variable) => ({
      name: variable.name,
      ...Object.fromEntries(UNIT_SYSTEMS.map((system) => [system, unitIn(system, variable)])),
      units: unitsOf(variable),
    }),
  });
}

interface Reference {
  readonly name: string;
  readonly description: string;
  readonly head: readonly string[];
  readonly row: (variable: Variable) => readonly string[];
  readonly json: (variable: Variable) => object;
}

function addReference(program: Command, terminal: Terminal, reference: Reference): void {
  const { name, description, head, row, json } = reference;
  program
    .command(name)
    .description(description)
    .option('--json', 'print JSON')
    .allowExcessArguments(false)
    .action((options: { json?: boolean }) => {
      if (options.json === true) terminal.printJson(VARIABLES.map((variable) => json(variable)));
      else {
        const rows = VARIABLES.map((variable) => row(variable));
        terminal.print(formatTable(head, rows));
      }
    });
}

const ofSystems = (variable: Variable) => UNIT_SYSTEMS.map((system) => unitIn(system, variable));
