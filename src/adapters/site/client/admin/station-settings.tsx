import { FormField } from './form.js';
import { furtherOf, settingText, type StationReply } from './station-draft.js';
import { useAdminText } from './text.js';

/** The fields of settings that few stations need. They are folded. */
export function FurtherSettings({
  existing,
  faults,
}: {
  readonly existing: StationReply | undefined;
  readonly faults: Readonly<Record<string, string>>;
}) {
  const { stations: text } = useAdminText();
  const stored = existing === undefined ? undefined : furtherOf(existing);
  return (
    <details>
      <summary>{text.further}</summary>
      <div class="fields">
        {(['identifiers', 'steps', 'persistence', 'cell_methods'] as const).map((name) => (
          <FormField
            key={name}
            name={name}
            lines={2}
            label={text.fields[name]}
            hint={text.hints[name]}
            fault={faults[name]}
            defaultValue={settingText(stored?.[name] ?? {})}
          />
        ))}
        <FormField
          name="stamp_interval"
          type="number"
          min={1}
          inputMode="numeric"
          label={text.fields.stamp_interval}
          hint={text.hints.stamp_interval}
          fault={faults['stamp_interval']}
          defaultValue={String(stored?.stamp_interval ?? '')}
        />
        <FormField
          name="daily_observation_time"
          label={text.fields.daily_observation_time}
          fault={faults['daily_observation_time']}
          defaultValue={stored?.daily_observation_time ?? ''}
        />
      </div>
    </details>
  );
}
