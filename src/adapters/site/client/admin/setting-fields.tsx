import { FormField } from './form.js';
import { useSourcesText } from './sources/text.js';

export interface Setting {
  /** Name of the field, and of its fault. */
  readonly name: string;
  readonly label: string;
  readonly hint?: string | undefined;
  readonly required: boolean;
  /** A secret is never shown again. */
  readonly isSecret?: boolean;
  readonly type?: 'number' | 'text';
  readonly lines?: number;
  readonly value?: string;
}

/**
 * The fields of the settings of a source or a target, in the order of the list.
 *
 * @param kept whether a stored value stays where a field without a shown value is empty
 */
export function SettingFields({
  settings,
  kept,
  faults,
}: {
  readonly settings: readonly Setting[];
  readonly kept: boolean;
  readonly faults: Readonly<Record<string, string>>;
}) {
  const text = useSourcesText();
  return (
    <>
      {settings.map(({ name, label, hint, required, isSecret = false, type = 'text', lines, value }) => {
        const stays = kept && value === undefined;
        return (
          <FormField
            key={name}
            name={name}
            type={isSecret ? 'password' : type}
            {...(isSecret && { autocomplete: 'new-password' })}
            {...(lines !== undefined && { lines })}
            label={required ? label : text.optional(label)}
            hint={stays ? text.kept : hint}
            defaultValue={value ?? ''}
            fault={faults[name]}
            autocapitalize="none"
            required={required && !stays}
          />
        );
      })}
    </>
  );
}
