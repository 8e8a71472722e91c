import { useNumbers, useSite } from '../site-context.js';
import { type ChartFormat, chartFormat } from './chart-format.js';

export function useChartFormat(zone: string): ChartFormat {
  const { text, preferences } = useSite();
  return chartFormat(zone, text, preferences, useNumbers());
}
