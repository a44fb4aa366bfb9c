const { readdirSync, readFileSync, existsSync } = require('node:fs');
const { delimiter, join } = require('node:path');
const { chromiumPath } = require('./test/support/jest/browser.js');
const { chainNodes, withoutNode } = require('./test/support/jest/chain-nodes.js');
const { postgresPrograms, withoutPostgres } = require('./test/support/jest/postgres-programs.js');

/** Packages that ship only ES modules: jest's own loader cannot require() them, so they are transformed. */
function esModulePackages(root = join(__dirname, 'node_modules')) {
  const names = readdirSync(root)
    .filter((name) => !name.startsWith('.'))
    .flatMap((name) =>
      name.startsWith('@') ? readdirSync(join(root, name)).map((sub) => `${name}/${sub}`) : [name],
    );
  return names.flatMap((name) => {
    const manifest = join(root, name, 'package.json');
    const isEsModule = existsSync(manifest) && JSON.parse(readFileSync(manifest, 'utf8')).type === 'module';
    const own = join(root, name, 'node_modules');
    return [...(isEsModule ? [name] : []), ...(existsSync(own) ? esModulePackages(own) : [])];
  });
}

const swcrc = JSON.parse(readFileSync(join(__dirname, '.swcrc'), 'utf8'));
const javascript = { jsc: { target: 'es2023' }, module: { type: 'commonjs', ignoreDynamic: false } };

/** The Redis to test with; Valkey is what some systems have in its place. */
const redisCommand = process.env.PATH.split(delimiter)
  .flatMap((folder) => ['redis-server', 'valkey-server'].map((name) => join(folder, name)))
  .find((file) => existsSync(file));
// A bare machine has none, and no package brings one. CI requires it, so that these tests can't go missing there.
const hasRedis = redisCommand || process.env.TEST_REDIS_URL || process.env.TEST_REDIS === 'required';
const leftOut = [
  ...(hasRedis
    ? []
    : [
        {
          folder: '<rootDir>/test/redis/',
          needs: 'redis-server or valkey-server on the PATH, or TEST_REDIS_URL',
        },
      ]),
  // Each of its callers has an address of its own in 127.0.0.0/8, all of which only Linux gives to its own machine.
  ...(process.platform === 'linux' && (redisCommand || process.env.TEST_REDIS === 'required')
    ? []
    : [{ folder: '<rootDir>/test/deployment/stack', needs: 'Linux, and redis-server on the PATH' }]),
  ...withoutNode,
  ...withoutPostgres,
];

/** Kills, cuts and waits that take long in any form, which npm test has no time for: npm run test:faults and test:hostile. */
const longOnly = [
  'account-shards',
  'cancelled-tasks',
  'database-away',
  'embedded-postgres-installation',
  'embedded-postgres.test',
  'event-chains',
  'events-once',
  'fair-deliveries',
  'fair-tasks',
  'fuzzed-operations',
  'hostile-calls',
  'hostile-documents',
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
  'payment-schedule',
  'queue-faults',
  'revoked-under-load',
  'slow-receivers',
  'stack-in-depth',
  'stopped-sockets',
  'stopped-tasks',
  'upstream-breaks-off',
  'upstream-faults-before-answer',
].map((name) => `<rootDir>/test/faults/${name}`);

/** What single parts of the chains' adapters do on real nodes: npm run test:chains. npm test plays payments through on each. */
const adaptersOnly = '<rootDir>/test/chains/[a-z]+/(?!payments)';

/** @type {import('jest').Config} */
module.exports = {
  rootDir: __dirname,
  roots: ['<rootDir>/test', '<rootDir>/src', '<rootDir>/scripts', '<rootDir>/bench'],
  testEnvironment: 'node',
  testMatch: ['**/*.test.ts'],
  // The clients have a run of their own, with tools that npm test does not install, and so has the soak.
  testPathIgnorePatterns: [
    '/node_modules/',
    '<rootDir>/test/clients/',
    '<rootDir>/test/browser/',
    '<rootDir>/test/soak/',
    ...longOnly,
    adaptersOnly,
    ...leftOut.map(({ folder }) => folder),
  ],
  setupFiles: ['<rootDir>/test/support/jest/seeded-properties.ts'],
  globals: { redisCommand, chainNodes, postgresPrograms, chromiumPath },
  transform: {
    '\\.ts$': ['@swc/jest', { ...swcrc, swcrc: false }],
    '\\.m?js$': ['@swc/jest', { ...javascript, swcrc: false }],
  },
  transformIgnorePatterns: [`/node_modules/(?!(?:${esModulePackages().join('|').replaceAll('.', '\\.')})/)`],
  globalSetup: '<rootDir>/test/support/jest/global-setup.ts',
  globalTeardown: '<rootDir>/test/support/jest/global-teardown.ts',
  reporters: [
    'default',
    '<rootDir>/test/support/jest/slowest-files.reporter.js',
    ['<rootDir>/test/support/jest/closing-line.reporter.js', { leftOut }],
  ],
  // It only ends what hangs: on a machine that is busy with other things a test may take many times as long.
  testTimeout: 240_000,
  maxWorkers: 2,
  // Node keeps the code of every file that a worker has run, and a worker of 2 GB collects garbage for much of its time.
  workerIdleMemoryLimit: '1GB',
};
