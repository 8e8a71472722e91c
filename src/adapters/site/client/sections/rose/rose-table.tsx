import type { DisplayUnit } from '../../format/units.js';
import { useNumbers, useSite } from '../../site-context.js';
import { useClassTexts } from './class-texts.js';
import { type Rose, usedClasses } from './rose-model.js';

/** The shares of the wind rose as a table. */
export function RoseTable({ rose, unit }: { readonly rose: Rose; readonly unit: DisplayUnit }) {
  const { text } = useSite();
  const number = useNumbers();
  const { section, rose: texts } = text.station;
  const names = useClassTexts(rose, unit);
  const used = usedClasses(rose);
  const percent = (count: number) => number((100 * count) / rose.count, 1);
  return (
    <details>
      <summary>{section.table}</summary>
      <div class="table-scroll" role="region" aria-label={texts.share} tabIndex={0}>
        <table class="numbers">
          <caption>{texts.share}</caption>
          <thead>
            <tr>
              <th scope="col">{texts.sector}</th>
              {used.map((index) => (
                <th key={index} scope="col">
                  {names[index]}
                </th>
              ))}
              <th scope="col">{texts.all}</th>
            </tr>
          </thead>
          <tbody>
            {rose.sectors.map(({ count: all, counts }, sector) => (
              <tr key={sector}>
                <th scope="row">{text.sectors[sector]}</th>
                {used.map((index) => (
                  <td key={index}>{percent(counts[index] ?? 0)}</td>
                ))}
                <td>{percent(all)}</td>
              </tr>
            ))}
            <tr>
              <th scope="row">{texts.calms}</th>
              {used.map((index) => (
                <td key={index} />
              ))}
              <td>{percent(rose.calms)}</td>
            </tr>
          </tbody>
        </table>
      </div>
    </details>
  );
}
