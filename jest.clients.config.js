const everyTest = require('./jest.config.js');

/**
 * Clients that others' generators make from the document; see test/clients/README.md.
 *
 * @type {import('jest').Config}
 */
module.exports = {
  ...everyTest,
  roots: ['<rootDir>/test/clients'],
  testPathIgnorePatterns: ['/node_modules/'],
  reporters: everyTest.reporters.map((reporter) =>
    Array.isArray(reporter) ? [reporter[0], { leftOut: [] }] : reporter,
  ),
};
