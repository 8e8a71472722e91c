import type { Reply } from '../../api.js';
import { useVariableNames } from '../../parts/variable-names.js';
import { FormField, useList } from '../form.js';
import { usePanelsText } from './text.js';

export type Variable = Reply<'/v1/variables', 'get'>['variables'][number];

/** The catalog of variables; empty until it is read. */
export function useVariables(): readonly Variable[] {
  return useList((api) => api.get('/v1/variables')).reply?.variables ?? [];
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
  const choices = variables.map((variable) => [variable.name, nameOf(variable.name)] as const);
  return (
    <FormField
      name="variable"
      label={text.variable}
      defaultValue={value}
      required={any === undefined}
      choices={any === undefined ? choices : [['', any], ...choices]}
      onChange={onChange}
    />
  );
}
