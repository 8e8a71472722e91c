import { type Variable, VARIABLES } from '#domain/weather/variables.js';

/** Lists the variables of the catalog. */
export class ListVariables {
  execute(): readonly Variable[] {
    return VARIABLES;
  }
}
