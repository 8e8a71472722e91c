import { useState } from 'preact/hooks';
import { targetOf } from '../api.js';
import { FileLink } from '../parts/file-link.js';
import { Menu } from '../parts/menu.js';
import { useNumbers, useSite } from '../site-context.js';
import type { Quantity } from './model/quantities.js';
import { MAX_ROWS, rowsRequest, spreadsheetRequest } from './model/read.js';
import { instantText, type ShownRange } from './model/span.js';

/** Links to files with the shown values, and the URL of these values in the API. */
export function Download({
  station,
  quantities,
  range,
  onPicture,
}: {
  readonly station: string;
  readonly quantities: readonly Quantity[];
  readonly range: ShownRange;
  readonly onPicture: () => void;
}) {
  const { text, preferences } = useSite();
  const number = useNumbers();
  const { download } = text.charts;
  const [isCopied, setCopied] = useState(false);
  const units = preferences.units === 'imperial' ? 'imperial' : undefined;
  const rows = (format?: 'csv' | 'parquet') => rowsRequest(station, quantities, range, format, units);
  // Colons and commas may stand in a query, and are easier to read than their codes.
  const address = targetOf(...rows())
    .replaceAll('%3A', ':')
    .replaceAll('%2C', ',');
  const name = fileName(station, range);
  return (
    <Menu name="chart-download" label={download.open}>
      <div class="choices">
        <FileLink file={rows('csv')} name={`${name}.csv`}>
          {download.csv}
        </FileLink>
        <FileLink
          file={spreadsheetRequest(station, quantities, range, preferences.language, units)}
          name={`${name}-${preferences.language}.csv`}
        >
          {download.spreadsheet}
        </FileLink>
        <FileLink file={rows('parquet')} name={`${name}.parquet`}>
          {download.parquet}
        </FileLink>
        <FileLink file={rows()} name={`${name}.json`}>
          {download.json}
        </FileLink>
        <button type="button" onClick={onPicture}>
          {download.png}
        </button>
      </div>
      <label>
        <span>{download.address}</span>
        <textarea
          readOnly
          rows={4}
          value={fullAddress(address)}
          onFocus={({ currentTarget }) => currentTarget.select()}
        />
      </label>
      <div class="choices">
        <button
          type="button"
          onClick={() => {
            // Over plain HTTP the browser offers no clipboard. The visitor can select the text instead.
            void navigator.clipboard?.writeText(fullAddress(address)).then(
              () => setCopied(true),
              () => undefined, // The browser has denied access and shows its own message.
            );
          }}
        >
          {download.copy}
        </button>
        <span role="status">{isCopied && download.copied}</span>
      </div>
      <p class="quiet">{download.limit(number(MAX_ROWS, 0))}</p>
    </Menu>
  );
}

/** The whole URL in the browser. The service does not know the address under which visitors see it. */
const fullAddress = (address: string) =>
  typeof location === 'undefined' ? address : `${location.origin}${address}`;

/** The name of a file with values of the range, without its extension. */
export function fileName(station: string, { from, to }: ShownRange): string {
  return [station, instantText(from), instantText(to)].join('_').replaceAll(':', '');
}
