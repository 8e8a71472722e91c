import { useEffect, useState } from 'preact/hooks';
import type { Api, Station } from '../api.js';
import type { Quantity } from './model/quantities.js';
import { type ChartReply, readCharts } from './model/read.js';
import type { Range } from './model/span.js';

export interface ChartData {
  /** The last reply; it stays while the next one is read. */
  readonly reply: ChartReply | undefined;
  readonly isLoading: boolean;
  /** Why the data could not be read. */
  readonly fault: unknown;
  readonly retry: () => void;
}

/** Reads the data of a range. A new range ends the request for the one before. @param width of the charts in pixels */
export function useChartData(
  api: Api,
  station: Station,
  quantities: readonly Quantity[],
  range: Range,
  width: () => number,
): ChartData {
  const [state, setState] = useState<Omit<ChartData, 'retry'>>({
    reply: undefined,
    isLoading: true,
    fault: undefined,
  });
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    const controller = new AbortController();
    setState(({ reply }) => ({ reply, isLoading: true, fault: undefined }));
    readCharts(api, station, quantities, range, width(), controller.signal).then(
      (reply) => {
        if (!controller.signal.aborted) setState({ reply, isLoading: false, fault: undefined });
      },
      (error: unknown) => {
        if (controller.signal.aborted) return;
        setState(({ reply }) => ({ reply, isLoading: false, fault: error }));
      },
    );
    return () => controller.abort();
  }, [station.id, quantities, range.from, range.to, attempt]);
  return { ...state, retry: () => setAttempt((number) => number + 1) };
}
