/** The kernel rooms in their order: each imports only from those after it. */
const rooms = [
  'pipeline',
  'contract',
  'retrieval',
  'models',
  'text',
  'ledger',
  'accounts',
  'events',
  'work',
  'files',
  'http',
  'database',
  'observability',
  'runtime',
  'errors',
  'config',
];
const downward = rooms.map((room, index) => ({
  name: `the-room-${room}-imports-only-downward`,
  severity: 'error',
  from: { path: `^src/${room}/`, pathNot: '\\.test\\.ts$' },
  to: { path: `^src/(?:${['modules', ...rooms.slice(0, index)].join('|')})/|^src/[^/]+\\.ts$` },
}));
/** The operators' view of all features, and what the service says of itself. */
const views = ['admin', 'system'];

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    ...downward,
    {
      name: 'src-is-made-of-its-rooms-and-modules',
      comment: 'A folder beside them would have no place in the order.',
      severity: 'error',
      from: { path: `^src/(?!(?:${['modules', ...rooms].join('|')})/|[^/]+\\.ts$)` },
      to: {},
    },
    {
      name: 'nobody-imports-main',
      comment: 'Whoever imports it starts a service, which is what the worker of the benchmark does it for.',
      severity: 'error',
      from: { pathNot: '^bench/deliveries/worker\\.ts$' },
      to: { path: '^src/main\\.ts$' },
    },
    {
      name: 'modules-never-import-each-other',
      severity: 'error',
      from: {
        path: '^src/modules/([^/]+)/',
        pathNot: `^src/modules/(?:${views.join('|')})/|\\.test\\.ts$`,
      },
      to: { path: '^src/modules/', pathNot: '^src/modules/$1/' },
    },
    {
      name: 'modules-never-import-the-application',
      severity: 'error',
      from: { path: '^src/modules/' },
      to: { path: '^src/[^/]+\\.ts$' },
    },
    {
      name: 'nobody-imports-the-views',
      severity: 'error',
      from: { path: '^src/', pathNot: `^src/modules/(?:${views.join('|')})/|^src/[^/]+\\.ts$` },
      to: { path: `^src/modules/(?:${views.join('|')})/` },
    },
    {
      name: 'the-document-stays-out-of-the-lower-rooms',
      comment:
        'What they need of the document is handed to them by the application. The models speak the APIs of /v1, whose types it has.',
      severity: 'error',
      from: { path: `^src/(?:${rooms.slice(2).join('|')})/`, pathNot: '\\.test\\.ts$|^src/models/' },
      to: { path: '^generated/' },
    },
    {
      name: 'the-models-take-types-alone-of-the-document',
      severity: 'error',
      from: { path: '^src/models/', pathNot: '\\.test\\.ts$' },
      to: { path: '^generated/', dependencyTypesNot: ['type-only'] },
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
      name: 'the-console-knows-the-published-api-alone',
      severity: 'error',
      from: { path: '^console/' },
      to: { path: '^(?:src|scripts|bench|test)/|^generated/(?!types\\.ts$)' },
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
