import { Fragment } from 'preact';
import { useTimeFormat } from '../../now/times.js';
import { useVariableNames } from '../../parts/variable-names.js';
import { useNumbers, useUnit } from '../../site-context.js';
import { findingText, type Notice } from './finding.js';
import { useNoticesText } from './text.js';

/** One notice as a sentence: the quantity, what was found, when, and with which stations it was compared. */
export function NoticeSentence({ notice, zone }: { readonly notice: Notice; readonly zone: string }) {
  const text = useNoticesText();
  const nameOf = useVariableNames();
  const { variable, since, until } = notice;
  return (
    <>
      <strong>{text.variables[variable] ?? nameOf(variable)}:</strong> <Finding notice={notice} />,{' '}
      <When begin={since} end={until} zone={zone} />
      <Compared notice={notice} />.
    </>
  );
}

/** A span, or only its begin if it has no end. */
export function When({
  begin,
  end,
  zone,
}: {
  readonly begin: string;
  readonly end: string | null;
  readonly zone: string;
}) {
  const { since, from } = useNoticesText();
  const write = useTimeFormat(zone);
  const time = (at: string) => `${write(at, 'date')}, ${write(at, 'time')}`;
  return <>{end === null ? since(time(begin)) : from(time(begin), time(end))}</>;
}

/** What was found. */
export function Finding({ notice }: { readonly notice: Notice }) {
  const unit = useUnit(notice.variable, notice.unit);
  return <>{findingText(notice, unit, useNumbers(), useNoticesText())}</>;
}

/** The compared stations as links, after a comma. */
export function Compared({ notice: { compared_with: stations } }: { readonly notice: Notice }) {
  const { comparedWith } = useNoticesText();
  return (
    <>
      {stations.map((id, index) => (
        <Fragment key={id}>
          {index === 0 ? `, ${comparedWith} ` : ', '}
          <a href={`/stations/${encodeURIComponent(id)}`}>{id}</a>
        </Fragment>
      ))}
    </>
  );
}
