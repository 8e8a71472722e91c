import { useNumbers, useSite } from '../../site-context.js';
import { useClassTexts } from './class-texts.js';
import { type Rose, sum } from './rose-model.js';

/** The shares of the picture as numbers. */
export function RoseTable({
  rose,
  bounds,
  unit,
}: {
  readonly rose: Rose;
  readonly bounds: readonly number[];
  readonly unit: string;
}) {
  const { text } = useSite();
  const number = useNumbers();
  const { section, rose: texts } = text.station;
  const percent = (count: number) => number((100 * count) / rose.total, 1);
  return (
    <details>
      <summary>{section.table}</summary>
      <div class="table-scroll" role="region" aria-label={texts.share} tabIndex={0}>
        <table class="numbers">
          <caption>{texts.share}</caption>
          <thead>
            <tr>
              <th scope="col">{texts.sector}</th>
              {useClassTexts(bounds).map((name) => (
                <th key={name} scope="col">
                  {name} {unit}
                </th>
              ))}
              <th scope="col">{texts.all}</th>
            </tr>
          </thead>
          <tbody>
            {rose.counts.map((classes, sector) => (
              <tr key={sector}>
                <th scope="row">{text.sectors[sector]}</th>
                {classes.map((count, index) => (
                  <td key={index}>{percent(count)}</td>
                ))}
                <td>{percent(sum(classes))}</td>
              </tr>
            ))}
            <tr>
              <th scope="row">{texts.calms}</th>
              {bounds.map((bound) => (
                <td key={bound} />
              ))}
              <td />
              <td>{percent(rose.calms)}</td>
            </tr>
          </tbody>
        </table>
      </div>
    </details>
  );
}
