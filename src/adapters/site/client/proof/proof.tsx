import type { ComponentChildren } from 'preact';
import { Provider } from '../forecast/attribution.js';
import { providerName } from '../forecast/provider-name.js';
import { useTimeFormat } from '../now/times.js';
import { FileLink } from '../parts/file-link.js';
import { useNumbers, useSite } from '../site-context.js';
import { Band } from './band.js';
import { Cases } from './cases.js';
import { type Curve, Curves } from './curves.js';
import { NumberTable } from './proof-figure.js';
import {
  addressOf,
  biasOf,
  CASE_DAYS,
  type Chances,
  climatology,
  clockHour,
  NEXT_DAY,
  fewDays,
  gainOf,
  isChance,
  leadParts,
  type LeadScores,
  SPANS,
  type Verification,
  VARIABLES,
} from './proof-model.js';
import type { ProofData } from './read-proof.js';
import { Reliability } from './reliability.js';
import { useProofText } from './text.js';
import { useErrorWords, useScoreWords } from './use-error-words.js';

/** How good the forecasts of a station were: the error a day ahead, what explains it, and all numbers. */
export function Proof(data: ProofData) {
  const text = useProofText();
  const { text: site } = useSite();
  const { station, choice, verification } = data;
  const href = `/stations/${encodeURIComponent(station.id)}`;
  return (
    <article class="proof">
      <header class="proof-head">
        <p>
          <a href={href}>{station.name}</a>{' '}
          <span class="quiet">
            {text.title}
            {verification?.source.provider === 'simulated' && ` · ${providerName(verification.source, site)}`}
          </span>
        </p>
        {verification !== undefined && <Choices {...{ station, choice, verification }} />}
      </header>
      {verification === undefined ? <h1>{text.none}</h1> : <Scores {...data} verification={verification} />}
    </article>
  );
}

/** Links to the other variables and spans. They work without JavaScript too. */
function Choices({
  station,
  choice,
  verification,
}: Pick<ProofData, 'station' | 'choice'> & { readonly verification: Verification }) {
  const text = useProofText();
  const { variables } = useSite().text;
  const shown = VARIABLES.filter(
    (name) => name === choice.variable || verification.variables.includes(name),
  ).map((variable) => ({ name: variables[variable] ?? text.frost, choice: { ...choice, variable } }));
  const spans = SPANS.map((months) => ({ name: text.spans[months], choice: { ...choice, months } }));
  return (
    <>
      {(
        [
          [text.choice, shown],
          [text.span, spans],
        ] as const
      ).map(([label, links]) => (
        <nav key={label} class="segments" aria-label={label}>
          {links.map(({ name, choice: to }) => (
            <a
              key={name}
              class="button"
              href={addressOf(station.id, to)}
              aria-current={addressOf('', to) === addressOf('', choice) ? 'page' : undefined}
            >
              {name}
            </a>
          ))}
        </nav>
      ))}
    </>
  );
}

type ScoresProps = Omit<ProofData, 'verification'> & { readonly verification: Verification };

function Scores(props: ScoresProps) {
  const { station, choice, verification } = props;
  const text = useProofText();
  const number = useNumbers();
  const date = useTimeFormat(station.time_zone);
  const { first_issued: first, ordered, verification: leads } = verification;
  const own = leads.find(({ lead }) => lead === NEXT_DAY) as LeadScores;
  const few = fewDays(verification);
  const chances = chancesOf(own);
  const isEmpty = isChance(choice.variable) ? chances === undefined : own.raw.mae === null;
  const state = (
    <>
      {few !== undefined && !isEmpty && <p>{text.few(number(few, 0), few === 1)}</p>}
      {!ordered && <p>{text.ended}</p>}
    </>
  );
  return (
    <>
      {isEmpty ? (
        <>
          <h1>{text.nothing}</h1>
          <p>{first === null ? text.notIssued : text.waits(date(first, 'fullDate'))}</p>
          {state}
        </>
      ) : isChance(choice.variable) ? (
        <OfChances {...props} event={choice.variable} own={chances as ChancePair} state={state} />
      ) : (
        <OfValues {...props} own={own} state={state} />
      )}
      <Foot {...props} />
    </>
  );
}

interface ChancePair {
  readonly raw: Chances;
  readonly own: Chances;
}

const chancesOf = ({ raw, corrected }: LeadScores): ChancePair | undefined =>
  raw.chance && corrected.chance ? { raw: raw.chance, own: corrected.chance } : undefined;

/** The names of the classes of lead times. */
function useLeads(verification: Verification): readonly string[] {
  const { leads } = useProofText();
  return verification.verification.map(({ lead }) => {
    const { from, to, day } = leadParts(lead);
    return day === undefined ? leads.hours(from, to) : leads.day(day);
  });
}

/** The errors of a variable: by lead time, single ones, and whether its band holds. */
function OfValues({
  station,
  choice,
  verification,
  rain,
  cases,
  own,
  state,
}: ScoresProps & { readonly own: LeadScores; readonly state: ComponentChildren }) {
  const text = useProofText();
  const number = useNumbers();
  const leads = useLeads(verification);
  const words = useErrorWords(choice.variable, verification.unit);
  const { difference, write, exact } = words;
  const bias = biasOf(cases);
  const gain = gainOf(own);
  const scores = verification.verification;
  const { share } = useScoreWords();
  const value = (error: number | null) => (error === null ? '–' : exact(error));
  const curve = (kind: Curve['kind']): Curve => ({
    kind,
    name: text.curves[kind],
    values: scores.map((lead) => (lead[kind].mae === null ? null : difference(lead[kind].mae))),
  });
  const { table } = text;
  const rainChances = rain && chancesOf(rain);
  const percent = gain === undefined ? 0 : Math.round(100 * gain);
  return (
    <>
      <h1 class="verdict">{text.off(write(own.corrected.mae ?? 0))}</h1>
      <p class="verdict-facts">
        {text.alone(write(own.raw.mae ?? 0))}{' '}
        {bias !== undefined &&
          text.biased(
            clockHour(choice.hour),
            CASE_DAYS,
            write(Math.abs(bias)),
            text.directions[choice.variable]?.[bias > 0 ? 0 : 1] ?? '',
          )}
        <br />
        <span class="quiet">{percent > 0 ? text.gain(number(percent, 0)) : text.noGain}</span>
      </p>
      {state}
      <div class="proof-parts">
        <Curves
          curves={[curve('persistence'), curve('raw'), curve('corrected')]}
          leads={leads}
          sentence={text.curves.explain(words.unit)}
          write={words.fixed}
        />
        <Cases {...{ station, cases, choice, words }} />
        <Band
          shares={scores.map(({ corrected }) =>
            corrected.coverage_80 === null ? null : 100 * corrected.coverage_80,
          )}
          own={own.corrected.coverage_80 === null ? null : 100 * own.corrected.coverage_80}
          leads={leads}
        />
        {rainChances && <Reliability event="precipitation_amount" {...rainChances} />}
      </div>
      <NumberTable
        caption={table.caption}
        bold={3}
        heads={[
          table.ahead,
          table.count,
          `${text.curves.raw} ${words.unit}`,
          `${text.curves.corrected} ${words.unit}`,
          `${text.curves.persistence} ${words.unit}`,
          table.bias,
          table.within(words.near),
          table.inside,
        ]}
        rows={scores.map(({ raw, corrected, persistence }, index) => [
          leads[index] ?? '',
          number(raw.count, 0),
          value(raw.mae),
          value(corrected.mae),
          value(persistence.mae),
          raw.bias === null ? '–' : `${raw.bias > 0 ? '+' : ''}${exact(raw.bias)}`,
          share(corrected.within_2),
          share(corrected.coverage_80),
        ])}
      />
    </>
  );
}

/** The chances of an event: their Brier score by lead time, and whether they say what happens. */
function OfChances({
  choice,
  verification,
  event,
  own,
  state,
}: ScoresProps & {
  readonly event: 'precipitation_amount' | 'frost';
  readonly own: ChancePair;
  readonly state: ComponentChildren;
}) {
  const text = useProofText();
  const number = useNumbers();
  const leads = useLeads(verification);
  const words = text.chances[event];
  const pairs = verification.verification.map(chancesOf);
  const { score, share } = useScoreWords();
  const { pod, far, brier } = own.own;
  const usual = climatology(own.own);
  const curves: Curve[] = [
    {
      kind: 'persistence',
      name: text.curves.always(number(100 * usual.share, 0)),
      values: pairs.map((pair) => (pair === undefined ? null : climatology(pair.own).brier)),
    },
    { kind: 'raw', name: text.curves.raw, values: pairs.map((pair) => pair?.raw.brier ?? null) },
    { kind: 'corrected', name: text.curves.corrected, values: pairs.map((pair) => pair?.own.brier ?? null) },
  ];
  const { table } = text;
  return (
    <>
      <h1 class="verdict">{pod === null ? words.none : text.tomorrow(`${share(pod)} ${words.hits}`)}</h1>
      <p class="verdict-facts">
        {far !== null && `${share(far)} ${words.falseAlarms}.`}
        <br />
        <span class="quiet">{text.brierOf(score(brier), score(own.raw.brier))}</span>
      </p>
      {state}
      <div class="proof-parts">
        <Curves curves={curves} leads={leads} sentence={text.curves.chance} write={score} />
        <Reliability key={choice.variable} event={event} {...own} />
      </div>
      <NumberTable
        caption={table.caption}
        bold={3}
        heads={[
          table.ahead,
          table.count,
          `Brier, ${text.curves.raw}`,
          `Brier, ${text.curves.corrected}`,
          text.reliability.hits,
          text.reliability.falseAlarms,
        ]}
        rows={pairs.map((pair, index) => [
          leads[index] ?? '',
          number(pair?.own.count ?? 0, 0),
          score(pair?.raw.brier),
          score(pair?.own.brier),
          share(pair?.own.pod),
          share(pair?.own.far),
        ])}
      />
    </>
  );
}

/** The provider, the numbers as a file, and how the correction works. */
function Foot({ station, choice, verification }: ScoresProps) {
  const text = useProofText();
  const { text: site } = useSite();
  const { source, since } = verification;
  const query = {
    variable: choice.variable,
    format: 'csv' as const,
    ...(since !== null && choice.months !== 'all' && { since }),
  };
  return (
    <footer class="proof-foot quiet">
      <p>
        {text.kept} {site.forecast.title}: <Provider source={source} />.{' '}
        <FileLink
          file={['/v1/stations/{id}/forecast/verification', { path: { id: station.id }, query }]}
          name={`${station.id}-${choice.variable}.csv`}
          opens
        >
          {text.csv}
        </FileLink>
      </p>
      <details>
        <summary>{text.how}</summary>
        <p>{text.correction}</p>
      </details>
    </footer>
  );
}
