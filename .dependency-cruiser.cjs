const order = ['config', 'infrastructure', 'core', 'contract'];

/** Nothing imports from a layer above its own. */
const downward = order.map((layer, index) => ({
  name: `${layer}-imports-only-downward`,
  severity: 'error',
  from: { path: `^src/${layer}/` },
  to: {
    path: `^src/(?:${[...order.slice(index + 1), 'modules', 'pipeline', 'upkeep'].join('|')})/|^src/[^/]+\\.ts$`,
  },
}));

/** The wings of core in their order: each imports only those before it, the last two nothing of each other. */
const wings = ['errors', 'events', 'access', 'money', 'text', 'models', 'knowledge', 'agents'];
const lastWings = ['work', 'realtime'];
const laterThan = (wing) =>
  lastWings.includes(wing)
    ? lastWings.filter((other) => other !== wing)
    : [...wings.slice(wings.indexOf(wing) + 1), ...lastWings];
const betweenWings = [...wings, ...lastWings].map((wing) => ({
  name: `the-wing-${wing}-imports-only-earlier-wings`,
  severity: 'error',
  from: { path: `^src/core/${wing}/` },
  to: { path: `^src/core/(?:${laterThan(wing).join('|')})/|^src/core/[^/]+\\.ts$` },
}));
const outsideWings = {
  name: 'core-is-made-of-its-wings',
  comment: 'A folder beside the wings would have no place in their order.',
  severity: 'error',
  from: { path: `^src/core/(?!(?:${[...wings, ...lastWings].join('|')})/|core\\.module\\.ts$)` },
  to: {},
};

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    ...downward,
    ...betweenWings,
    outsideWings,
    {
      name: 'modules-never-import-each-other',
      severity: 'error',
      from: { path: '^src/modules/([^/]+)/' },
      to: { path: '^src/modules/', pathNot: '^src/modules/$1/' },
    },
    {
      name: 'modules-never-import-the-pipeline',
      severity: 'error',
      from: { path: '^src/modules/' },
      to: { path: '^src/(?:pipeline|upkeep)/|^src/[^/]+\\.ts$' },
    },
    {
      name: 'the-pipeline-never-imports-modules',
      severity: 'error',
      from: { path: '^src/pipeline/' },
      to: { path: '^src/(?:modules|upkeep)/|^src/[^/]+\\.ts$' },
    },
    {
      name: 'upkeep-imports-only-core-and-below',
      comment: 'A process without routes runs it, so it must need nothing that serves calls.',
      severity: 'error',
      from: { path: '^src/upkeep/' },
      to: { path: '^src/(?:contract|modules|pipeline)/|^src/[^/]+\\.ts$|^generated/' },
    },
    {
      name: 'the-document-stays-out-of-core-and-below',
      comment: 'What core needs of the document is handed to it by the application.',
      severity: 'error',
      from: { path: '^src/(?:core|infrastructure|config)/' },
      to: { path: '^generated/' },
    },
    {
      name: 'no-circles',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    {
      name: 'no-test-code-in-the-service',
      severity: 'error',
      from: { path: '^(?:src|scripts)/', pathNot: '\\.test\\.ts$' },
      to: { path: '^test/|\\.test\\.ts$' },
    },
    {
      name: 'no-development-packages-in-the-service',
      severity: 'error',
      from: { path: '^src/', pathNot: ['\\.test\\.ts$', 'typescript-thread\\.cjs$'] },
      to: {
        dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown'],
        pathNot: ['^node_modules/@types/', '^node_modules/fastify/'],
      },
    },
    {
      name: 'no-dead-files',
      severity: 'error',
      from: {
        orphan: true,
        pathNot: ['\\.test\\.ts$', '\\.d\\.ts$', '^scripts/', '^bench/', '^test/', '\\.cjs$'],
      },
      to: {},
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    // Compiled by themselves, against clients that are generated when they are tested.
    exclude: { path: '^test/clients/(?:node_modules|generated|tours)/' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default'],
    },
  },
};
