import { DomainError } from '#domain/domain-error.js';
import { suggestion } from '#domain/nearest-name.js';
import { unitsOf } from '#domain/weather/units.js';
import { variableNamed, VARIABLES } from '#domain/weather/variables.js';
import type { MappedColumn } from './generic-columns.js';
import { unitNamed } from './unit-names.js';

/**
 * Checks a column that a person describes, and finds its unit.
 *
 * @param others columns that the person has described before
 * @throws DomainError REQUEST_INVALID
 */
export function checkedColumn(
  { field, variable: name, unit = '', kind, factor }: MappedColumn,
  others: readonly MappedColumn[],
): MappedColumn {
  const variable = variableNamed(name);
  if (variable === undefined) {
    const hint = suggestion(
      name,
      VARIABLES.map((known) => known.name),
    );
    throw invalid(`There is no variable ${JSON.stringify(name)} in the catalogue.${hint}`);
  }
  const other = others.find((column) => column.variable === name);
  if (other !== undefined)
    throw invalid(`The column ${JSON.stringify(other.field)} is already mapped to ${name}.`);
  if (kind === 'counter' && variable.aggregation !== 'sum')
    throw invalid(`${name} is not an amount, so that it cannot be a running total.`);
  // An unknown unit is not changed. The error message of the conversion then lists the units of the variable.
  const known = unitsOf(variable).includes(unit) ? unit : (unitNamed(unit) ?? unit);
  if (factor !== undefined && !(Number.isFinite(factor) && factor !== 0))
    throw invalid(`The factor of ${name} must be a number other than 0.`);
  return {
    field,
    variable: name,
    ...(unit !== '' && { unit: known }),
    ...(kind !== undefined && { kind }),
    ...(factor !== undefined && { factor }),
  };
}

function invalid(message: string): DomainError {
  return new DomainError('REQUEST_INVALID', message);
}
