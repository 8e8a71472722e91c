import { useSite } from '../site-context.js';
import { Age } from '../parts/age.js';
import { type CardProps, ReadingCard, useAmountFormat, useIsOld } from './reading.js';

const RAIN = 'precipitation_amount';

/** Shows the rain since local midnight. If this sum is unknown, the card shows the newest amount. */
export function RainCard({ station, now }: CardProps) {
  const { text } = useSite();
  const amount = useAmountFormat();
  const { rain } = text.station;
  const newest = now.latest[RAIN];
  const isOld = useIsOld(station, newest);
  return (
    <section class="card main-card" aria-labelledby="card-rain">
      <h2 id="card-rain">{now.today === undefined ? rain.lastValue : rain.title}</h2>
      {now.today === undefined ? (
        <ReadingCard variable={RAIN} {...{ station, now }} />
      ) : (
        <>
          <p class={isOld ? 'large old' : 'large'}>
            <RainAmount written={amount(RAIN, 'mm', now.today.rain)} />
          </p>
          {newest !== undefined && (
            <p class="card-age quiet">
              <Age
                since={newest.time}
                interval={station.reporting_interval}
                zone={station.time_zone}
                ofValue
              />
            </p>
          )}
        </>
      )}
      <p class="facts">
        {now.today !== undefined && (
          <span>
            {rain.hour} {amount(RAIN, 'mm', now.today.rain_last_hour)}
          </span>
        )}
        {now.rain !== undefined && (
          <>
            <span>
              {rain.month} {amount(RAIN, 'mm', now.rain.month)}
            </span>
            <span>
              {rain.year} {amount(RAIN, 'mm', now.rain.year)}
            </span>
          </>
        )}
      </p>
    </section>
  );
}

/** A formatted amount whose unit is written smaller. A text without a unit means that there is no value. */
export function RainAmount({ written }: { readonly written: string }) {
  const { text } = useSite();
  const [value, unit] = written.split(' ');
  return (
    <span class="value">
      <span aria-hidden={unit === undefined}>{value}</span>
      {unit === undefined ? (
        <span class="hidden">{text.value.missing}</span>
      ) : (
        <span class="unit"> {unit}</span>
      )}
    </span>
  );
}
