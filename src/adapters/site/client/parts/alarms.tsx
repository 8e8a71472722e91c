import type { RaisedAlarm } from '../api.js';
import { useTimeFormat } from '../now/times.js';
import { useNumbers, useSite, useUnit } from '../site-context.js';

/** The raised alarms of a station. Shows nothing if no alarm is raised. */
export function Alarms({
  alarms = [],
  timeZone,
}: {
  readonly alarms?: readonly RaisedAlarm[] | undefined;
  readonly timeZone: string;
}) {
  const { text } = useSite();
  if (alarms.length === 0) return null;
  return (
    <section class="alarms" aria-label={text.alarms.title}>
      <ul>
        {alarms.map((alarm) => (
          <li key={alarm.name}>
            <Line alarm={alarm} timeZone={timeZone} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function Line({
  alarm: { name, condition, since, expected },
  timeZone,
}: {
  readonly alarm: RaisedAlarm;
  readonly timeZone: string;
}) {
  const { text } = useSite();
  const number = useNumbers();
  const time = useTimeFormat(timeZone);
  const { kind, variable, threshold = 0, unit: metric = '', intervals = 0, comparison = 'below' } = condition;
  const { unit, decimals, convert } = useUnit(variable ?? '', metric);
  const quantity = typeof variable === 'string' ? (text.variables[variable] ?? variable) : '';
  const { alarms } = text;
  const shown = (value: number) => `${number(convert(value), decimals)}\u00a0${unit}`;
  const at = (of: string) => `${time(of, 'date')}, ${time(of, 'time')}`;
  const meaning =
    kind === 'silent'
      ? alarms.silent(intervals)
      : kind === 'forecast'
        ? alarms.forecast(alarms[comparison](quantity, shown(threshold)))
        : alarms[kind](quantity, shown(threshold));
  const details = expected
    ? [
        `${shown(expected.value)}, ${at(expected.time)}`,
        ...(expected.chance === undefined ? [] : [alarms.chance(number(100 * expected.chance, 0))]),
      ]
    : since === null
      ? []
      : [alarms.since(at(since))];
  return (
    <>
      <AlarmSign /> <strong>{text.alarms.alarm(name)}</strong> {meaning}
      {details.map((detail) => ` · ${detail}`)}
    </>
  );
}

/** The symbol of a station with raised alarms in the list of stations. */
export function AlarmMark({ names }: { readonly names: readonly string[] }) {
  const { text } = useSite();
  if (names.length === 0) return null;
  const label = text.alarms.alarm(names.join(', '));
  return (
    <span class="alarm-mark" title={label}>
      {' '}
      <AlarmSign />
      <span class="hidden">{label}</span>
    </span>
  );
}

/** A triangle with an exclamation mark. Screen readers skip the triangle, because there is always a text beside it. */
function AlarmSign() {
  return (
    <svg class="alarm-sign" viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
      <path
        d="M8 1.5 15 14H1Z"
        fill="none"
        stroke="currentColor"
        stroke-width="1.5"
        stroke-linejoin="round"
      />
      <path d="M8 6v4M8 11.5v1" stroke="currentColor" stroke-width="1.5" />
    </svg>
  );
}
