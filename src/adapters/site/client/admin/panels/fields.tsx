import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import type { Reply } from '../../api.js';
import { useSite } from '../../site-context.js';
import { FormField, useList } from '../form.js';
import { usePanelsText } from './text.js';

/** A field with a label and a list of values. */
export function SelectField({
  name,
  label,
  value,
  required = false,
  onChange,
  children,
}: {
  readonly name: string;
  readonly label: string;
  readonly value?: string;
  readonly required?: boolean;
  readonly onChange?: (value: string) => void;
  readonly children: ComponentChildren;
}) {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <select
        id={id}
        name={name}
        value={value}
        required={required}
        onChange={(event) => onChange?.(event.currentTarget.value)}
      >
        {children}
      </select>
    </div>
  );
}

/** Number of stations up to which a form shows a list of stations. */
const MAX_LISTED = 100;

/**
 * The field for a station: a list of the stations, or a field for the id if there are many stations.
 *
 * @param all the label of the choice of all stations
 */
export function StationField({
  name = 'station',
  value = '',
  all,
  onChange,
}: {
  readonly name?: string;
  readonly value?: string;
  readonly all?: string;
  readonly onChange?: (station: string) => void;
}) {
  const text = usePanelsText();
  const { reply } = useList((api) => api.get('/v1/stations', { query: { limit: MAX_LISTED } }));
  if (reply === undefined) return null;
  if (reply.next !== null && onChange === undefined)
    return (
      <FormField
        name={name}
        label={text.stationId}
        hint={all === undefined ? undefined : text.emptyForAll}
        defaultValue={value}
        required={all === undefined}
      />
    );
  const isKnown = value === '' || reply.stations.some(({ id }) => id === value);
  return (
    <SelectField
      name={name}
      label={text.station}
      value={value}
      required={all === undefined}
      {...(onChange && { onChange })}
    >
      <option value="">{all ?? text.choose}</option>
      {!isKnown && <option value={value}>{value}</option>}
      {reply.stations.map((station) => (
        <option key={station.id} value={station.id}>
          {station.name} ({station.id})
        </option>
      ))}
    </SelectField>
  );
}

export type Variable = Reply<'/v1/variables', 'get'>['variables'][number];

/** The catalog of variables; empty until it is read. */
export function useVariables(): readonly Variable[] {
  return useList((api) => api.get('/v1/variables')).reply?.variables ?? [];
}

/** Returns a function that names variables in the language of the page. */
export function useVariableNames(): (variable: string) => string {
  const { text } = useSite();
  return (variable) =>
    text.variables[variable] ?? text.charts.variables[variable] ?? variable.replaceAll('_', ' ');
}

/** The field for a variable. @param any the label of the choice of any variable */
export function VariableField({
  variables,
  value,
  any,
  onChange,
}: {
  readonly variables: readonly Variable[];
  readonly value: string;
  readonly any?: string;
  readonly onChange?: (variable: string) => void;
}) {
  const text = usePanelsText();
  const nameOf = useVariableNames();
  return (
    <SelectField
      name="variable"
      label={text.variable}
      value={value}
      required={any === undefined}
      {...(onChange && { onChange })}
    >
      {any !== undefined && <option value="">{any}</option>}
      {variables.map(({ name }) => (
        <option key={name} value={name}>
          {nameOf(name)}
        </option>
      ))}
    </SelectField>
  );
}
