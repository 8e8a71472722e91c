import { displayUnit } from '../../format/units.js';
import { useNumbers, useSite } from '../../site-context.js';
import { Choice } from '../choice.js';
import { LIMITS, MEAN, MIDRANGE, ELEMENTS, type ViewName, VIEWS } from './elements.js';
import { useClimateText } from './text.js';

export interface Column {
  /** Key of the element in the reply. */
  readonly element: string;
  readonly name: string;
  /** The limit of a number of days: `max ≥ 30 °C`. */
  readonly limit?: string | undefined;
}

export interface ColumnGroup {
  readonly name?: string;
  readonly columns: readonly Column[];
}

export interface View {
  readonly name: ViewName;
  readonly title: string;
  readonly groups: readonly ColumnGroup[];
}

/** The views in which at least one element is measured, with the names of their columns and limits in the unit of the visitor. */
export function useViews(isMeasured: (element: string) => boolean): readonly View[] {
  const { text, preferences } = useSite();
  const number = useNumbers();
  const texts = useClimateText();
  const nameOf = (key: string) => text.variables[key] ?? text.charts.variables[key] ?? '';
  const limitOf = (element: string) =>
    LIMITS[element]?.replace(/([\d.]{1,4}) (\S{1,3})$/, (_, limit: string, metric: string) => {
      const variable = metric === 'm' ? 'surface_snow_thickness' : '';
      const { unit, decimals, convert } = displayUnit(variable, metric, preferences.units);
      const shown = convert(Number(limit));
      return `${number(shown, shown % 1 === 0 ? 0 : decimals)} ${unit}`;
    });
  const columnsOf = (elements: readonly string[]) =>
    elements
      .filter((element) => isMeasured(element) && !(element === MIDRANGE && isMeasured(MEAN)))
      .map((element) => ({
        element,
        name: texts.months.columns[ELEMENTS.indexOf(element)] ?? '',
        limit: limitOf(element),
      }));
  return Object.entries<Readonly<Record<string, readonly string[]>>>(VIEWS)
    .map(([name, groups]) => ({
      name: name as ViewName,
      title: texts.views[name] ?? nameOf(name),
      groups: Object.entries(groups)
        .map(([group, elements]) => ({
          name: texts.groups[group] ?? nameOf(group),
          columns: columnsOf(elements),
        }))
        .filter(({ columns }) => columns.length > 0),
    }))
    .filter(({ groups }) => groups.length > 0);
}

/** The list from which the visitor selects a view. It is absent if there is nothing to select. */
export function ViewChoice({
  views,
  chosen,
  onChoose,
}: {
  readonly views: readonly View[];
  readonly chosen: View | undefined;
  readonly onChoose: (name: string) => void;
}) {
  const { text } = useSite();
  return chosen === undefined || views.length < 2 ? null : (
    <Choice<string>
      label={text.charts.table.open}
      values={views.map(({ name, title }) => [name, title])}
      chosen={chosen.name}
      onChoose={onChoose}
    />
  );
}
