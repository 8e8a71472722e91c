import { type Variable, VARIABLES } from '#domain/weather/variables.js';

/** Shows the catalogue of variables. */
export class ListVariables {
  execute(): readonly Variable[] {
    return VARIABLES;
  }
}
