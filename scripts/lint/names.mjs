// A plugin of oxlint for names: each thing has exactly one name, its technical term. `docs/glossary.md` explains the names.

/** Patterns of names that the project does not use, each with its replacement. */
const REPLACED = [
  [/(?:^|_)(?:MOST|LONGEST|LARGEST|GREATEST|HIGHEST)_/, 'MAX_'],
  [/(?:^|_)(?:FEWEST|LEAST|SHORTEST|SMALLEST|LOWEST)_/, 'MIN_'],
  [/(?:^|_)USUAL_/, 'DEFAULT_'],
  [/^judg|[a-z_]Judg|^Judg/, 'check for new values, recheck for stored ones'],
  [/^fates?$|[a-z]Fates?$|^Fate/, 'outcome'],
  [/^(?!overrules?$).*overrul/i, 'override'],
  [/lasting/i, 'level shift'],
  [/day_?tables?/i, 'daily aggregates'],
  [/addUpTables/i, 'sumFromAggregates'],
  [/describedStation/i, 'station snapshot'],
  [/alarmBook/i, 'alarm cache'],
  [/surveyStations/i, 'list inventories'],
  [/removedMonths/i, 'expired months'],
  [/^questionOf$/, 'cache key'],
  [/^showInstead$/i, 'redirect'],
  [/^(?:SIGHT|LaneParts|Lane|Lanes|Turns|Told|Given|Greeted|Joining)$/, 'a noun that says what it is'],
  [/^(?:news|laid)$/, 'changed rows, merged column'],
  [/^(?:areEnds|isSound)$/, 'at the end of the interval, is valid'],
  [
    /colour|neighbour|metres?(?![a-z])|(?:recogn|normal|summar|synchron|author|initial|serial)is(?:e|ing|ation)/i,
    'American spelling',
  ],
];

/** @returns the replacement of a name; undefined if the name is allowed */
export function replacementOf(name) {
  return REPLACED.find(([pattern]) => pattern.test(name))?.[1];
}

/** Reports names in declarations of types, functions, variables, parameters, and members of classes and interfaces. */
const declared = {
  create(context) {
    const check = (node) => {
      if (node?.type !== 'Identifier' && node?.type !== 'PrivateIdentifier') return;
      const replacement = replacementOf(node.name);
      if (replacement !== undefined)
        context.report({
          node,
          message: `This project does not use the name "${node.name}". Use: ${replacement}.`,
        });
    };
    const ofFunction = (node) => {
      check(node.id);
      node.params.forEach(check);
    };
    const ofMember = (node) => !node.computed && check(node.key);
    return {
      FunctionDeclaration: ofFunction,
      FunctionExpression: ofFunction,
      ArrowFunctionExpression: ofFunction,
      VariableDeclarator: ({ id }) => check(id),
      ClassDeclaration: ({ id }) => check(id),
      TSInterfaceDeclaration: ({ id }) => check(id),
      TSTypeAliasDeclaration: ({ id }) => check(id),
      MethodDefinition: ofMember,
      PropertyDefinition: ofMember,
      TSPropertySignature: ofMember,
      TSMethodSignature: ofMember,
    };
  },
};

export default { meta: { name: 'names' }, rules: { declared } };
