import { writeView } from '../../charts/model/span.js';
import { useSite } from '../../site-context.js';

/** Returns a function that opens a local date in the charts of this page. */
export function useOpenDay(): (date: string) => void {
  const { go } = useSite();
  return (date) => {
    const query = writeView({ span: '24h', at: date }, new URLSearchParams(location.search));
    go(`${location.pathname}?${query.toString()}#charts`);
  };
}
