const everyTest = require('./jest.config.js');

/**
 * The long kills, cuts and soaks in full depth, on a machine that does nothing else. `npm test` runs most of the
 * same files in a short form: see depth() in test/support/jest/depth.ts.
 *
 * @type {import('jest').Config}
 */
module.exports = {
  ...everyTest,
  roots: ['<rootDir>/test/faults'],
  // They measure times, so nothing else may run beside them: npm run test:hostile.
  testPathIgnorePatterns: [
    '/node_modules/',
    'fuzzed-operations',
    'hostile-calls',
    'hostile-documents',
    'hostile-files',
    'fair-deliveries',
  ],
  globals: { ...everyTest.globals, isDeepRun: true },
  reporters: everyTest.reporters.map((reporter) =>
    Array.isArray(reporter) ? [reporter[0], { leftOut: [] }] : reporter,
  ),
};
