const { readFileSync } = require('node:fs');
const { join } = require('node:path');
const { chromiumPath, withoutBrowser } = require('./test/support/jest/browser.js');
const { withoutCitus } = require('./test/support/jest/citus-url.js');
const { chainNodes, withoutNode } = require('./test/support/jest/chain-nodes.js');
const { poolerCommand, withoutPooler } = require('./test/support/jest/pooler-command.js');
const { postgresPrograms, withoutPostgres } = require('./test/support/jest/postgres-programs.js');
const { redisCommand, withoutRedis } = require('./test/support/jest/redis-command.js');

const swcrc = JSON.parse(readFileSync(join(__dirname, '.swcrc'), 'utf8'));

/** Kills, cuts and waits that take long in any form, which npm test has no time for: npm run test:faults and test:hostile. */
const longOnly = [
  'cancelled-tasks',
  'database-away',
  'deaf-replicas',
  'embedded-postgres-installation',
  'embedded-postgres.test',
  'event-chains',
  'events-once',
  'fair-deliveries',
  'fair-tasks',
  'fuzzed-operations',
  'hostile-attacks',
  'hostile-calls',
  'hostile-documents',
  'hostile-sockets',
  'hundred-upstream-streams',
  'indexed-megabyte',
  'killed-deliveries',
  'killed-batches',
  'killed-documents',
  'killed-embedded-service',
  'killed-payments',
  'killed-rooms',
  'killed-server-fifty-times',
  'killed-server-in-stream',
  'killed-tasks',
  'queue-faults',
  'revoked-under-load',
  'skewed-clocks',
  'slow-receivers',
  'stack-in-depth',
  'stalled-shutdown',
  'stopped-sockets',
  'stopped-tasks',
  'upstream-breaks-off',
  'upstream-faults-before-answer',
].map((name) => `/test/faults/${name}`);

/**
 * Some files that take a third of the processor time of all tests: the short forms of kills, cuts, races and long texts,
 * the tools of developers, which compile everything or run jest, starts of many processes, a client that reads nothing for a
 * minute, a backup and a measurement. `npm run check` runs them.
 */
const slow = [
  'scripts/build-if-stale.process',
  'scripts/dev/main.process',
  'scripts/run-tests.process',
  'test/contract/generator',
  'test/contract/type-tests',
  'test/deployment/account-schemas',
  'test/deployment/backup',
  'test/operators/admin-command',
  'test/pipeline/start-warnings',
  'test/pipeline/unread-answers',
  ...[
    'caps-under-concurrency',
    'cut-network',
    'document-uploads',
    'embedded-postgres-restart',
    'failover',
    'full-disk',
    'hostile-strangers',
    'killed-postgres',
    'killed-server',
    'killed-streams',
    'large-requests',
    'ledger-model',
    'linear-text',
    'orphaned-file-processes',
    'pathological-text',
    'rolling-update',
    'ten-thousand-http-calls',
  ].map((name) => `test/faults/${name}`),
  'test/quality/retrieval-quality',
].map((name) => `${name}.test.ts`);

/** Tests beside the code that need a database, or start processes, say so in their name: unit tests do neither. */
const NO_UNIT = '\\.(database|process)\\.test\\.ts$';
const STACK = '/test/deployment/stack';
const POSTGRES = {
  globalSetup: '<rootDir>/test/support/jest/global-setup.ts',
  globalTeardown: '<rootDir>/test/support/jest/global-teardown.ts',
};

/**
 * @param {string} name what --selectProjects calls it
 * @param {string[]} testMatch
 * @param {{ leftOut?: { folder: string; needs: string }[] } & import('jest').Config} options leftOut: what this machine
 *   lacks the programs for
 * @returns {import('jest').Config}
 */
function project(
  name,
  testMatch,
  { leftOut = [], testPathIgnorePatterns = [], globals = {}, ...config } = {},
) {
  return {
    displayName: name,
    rootDir: __dirname,
    roots: ['src', 'scripts', 'bench', 'console', 'test'].map((folder) => `<rootDir>/${folder}`),
    testMatch: testMatch.map((pattern) => `<rootDir>/${pattern}`),
    testPathIgnorePatterns: [
      '/node_modules/',
      ...testPathIgnorePatterns,
      ...leftOut.map(({ folder }) => folder),
    ],
    // A worker loads the application once for all of its files: see shared-runtime.js.
    runtime: '<rootDir>/test/support/jest/shared-runtime.js',
    testEnvironment: '<rootDir>/test/support/jest/shared-environment.js',
    transform: { '\\.ts$': ['@swc/jest', { ...swcrc, swcrc: false }] },
    setupFiles: ['<rootDir>/test/support/jest/seeded-properties.ts'],
    globals: { redisCommand, chainNodes, poolerCommand, postgresPrograms, chromiumPath, leftOut, ...globals },
    ...config,
  };
}

// Each of its callers has an address of its own in 127.0.0.0/8, all of which only Linux gives to its own machine.
const withoutStack =
  process.platform === 'linux' && withoutRedis.length === 0
    ? []
    : [{ folder: STACK, needs: 'Linux, and redis-server on the PATH' }];

/** @type {import('jest').Config} */
module.exports = {
  projects: [
    project('unit', ['{src,scripts,bench,console}/**/*.test.ts'], { testPathIgnorePatterns: [NO_UNIT] }),
    project(
      'service',
      [
        '{src,scripts,bench}/**/*.{database,process}.test.ts',
        'test/{api,architecture,contract,deployment,docs,events,faults,operators,pipeline,quality,sdk,support,work}/**/*.test.ts',
        'test/chains/*/payments.test.ts',
      ],
      {
        ...POSTGRES,
        testPathIgnorePatterns: [...longOnly, ...slow.map((file) => `/${file}`), STACK],
        leftOut: [...withoutPostgres, ...withoutPooler, ...withoutCitus, ...withoutNode],
      },
    ),
    project('slow', slow, { ...POSTGRES, leftOut: withoutPostgres }),
    // Three replicas, two workers and a proxy: an eighth of the processor time of all the others together.
    project('stack', ['test/deployment/stack.test.ts'], { ...POSTGRES, leftOut: withoutStack }),
    project('redis', ['test/redis/**/*.test.ts'], { ...POSTGRES, leftOut: withoutRedis }),
    project('chains', ['test/chains/*/**/!(payments).test.ts'], { ...POSTGRES, leftOut: withoutNode }),
    project('browser', ['test/browser/**/*.test.ts'], { ...POSTGRES, leftOut: withoutBrowser }),
    project('clients', ['test/clients/*.test.ts'], POSTGRES),
    // All kills, cuts and races in full depth: see depth() in test/support/jest/depth.ts.
    project('faults', ['test/faults/**/*.test.ts'], { ...POSTGRES, globals: { isDeepRun: true } }),
    // Everything at once while everything is killed, see docs/operating.md. It starts what it needs itself.
    project('soak', ['test/soak/**/*.test.ts']),
  ],
  reporters: [
    'default',
    '<rootDir>/test/support/jest/slowest-files.reporter.js',
    '<rootDir>/test/support/jest/closing-line.reporter.js',
  ],
  // It only ends what hangs: on a machine that is busy with other things a test may take many times as long.
  testTimeout: 240_000,
  // Many tests wait for what takes time, not for a core: other workers use theirs meanwhile.
  maxWorkers: 3,
  // What a worker has loaded stays; a worker of 2 GB collects garbage for much of its time.
  workerIdleMemoryLimit: '1.5GB',
};
