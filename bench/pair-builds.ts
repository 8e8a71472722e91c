/** The two builds that are compared. */
export const BUILDS = ['before', 'now'] as const;
export type Build = (typeof BUILDS)[number];

/** CPU time in µs for each unit (a request, a row, a read), by name of the measurement. */
export type Figures = Readonly<Record<string, number>>;

/**
 * Measures both builds once.
 *
 * @param builds built checkouts @param folder a path that nothing has, for the data @param round from 0
 */
export type Measure = (
  builds: Readonly<Record<Build, string>>,
  folder: string,
  round: number,
) => Promise<Readonly<Record<Build, Figures>>>;

/** The builds in the order in which they are measured: every second time the other way round. */
export function inTurn(turn: number): readonly Build[] {
  return turn % 2 === 0 ? BUILDS : BUILDS.toReversed();
}

/** Measures one build after the other. @param measure one checkout, in a fresh process */
export function oneAfterTheOther(measure: (checkout: string, folder: string) => Promise<Figures>): Measure {
  return async (builds, folder, round) => {
    const figures: Partial<Record<Build, Figures>> = {};
    for (const build of inTurn(round)) figures[build] = await measure(builds[build], `${folder}-${build}`);
    return figures as Record<Build, Figures>;
  };
}
