/** The two builds in a comparison. */
export const BUILDS = ['before', 'now'] as const;
export type Build = (typeof BUILDS)[number];

/** CPU time in µs per unit of work (a request, a row or a read), by name of the measurement. */
export type Figures = Readonly<Record<string, number>>;

/**
 * Measures both builds once.
 *
 * @param builds paths of built checkouts
 * @param folder a path for the data, which must not exist
 * @param round number of the round, from 0
 */
export type Measure = (
  builds: Readonly<Record<Build, string>>,
  folder: string,
  round: number,
) => Promise<Readonly<Record<Build, Figures>>>;

/** The builds in the order of measurement, which is reversed in every second turn. */
export function inTurn(turn: number): readonly Build[] {
  return turn % 2 === 0 ? BUILDS : BUILDS.toReversed();
}

/** Returns a function that measures one build after the other. @param measure measures one checkout in a new process */
export function oneAfterTheOther(measure: (checkout: string, folder: string) => Promise<Figures>): Measure {
  return async (builds, folder, round) => {
    const figures: Partial<Record<Build, Figures>> = {};
    for (const build of inTurn(round)) figures[build] = await measure(builds[build], `${folder}-${build}`);
    return figures as Record<Build, Figures>;
  };
}
