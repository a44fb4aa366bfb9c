const everyTest = require('./jest.config.js');
const { withoutNode } = require('./test/support/jest/chain-nodes.js');

/**
 * Everything about payments that runs on real nodes of the chains; see test/support/chains/README.md.
 *
 * @type {import('jest').Config}
 */
module.exports = {
  ...everyTest,
  roots: ['<rootDir>/test/chains'],
  testPathIgnorePatterns: ['/node_modules/', ...withoutNode.map(({ folder }) => folder)],
  reporters: everyTest.reporters.map((reporter) =>
    Array.isArray(reporter) ? [reporter[0], { leftOut: withoutNode }] : reporter,
  ),
};
