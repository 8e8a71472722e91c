import { useSite } from '../site-context.js';

/** Returns a function that names variables in the language of the page. */
export function useVariableNames(): (variable: string) => string {
  const { text } = useSite();
  return (variable) =>
    text.variables[variable] ?? text.charts.variables[variable] ?? variable.replaceAll('_', ' ');
}
