const everyTest = require('./jest.config.js');
const { withoutBrowser } = require('./test/support/jest/browser.js');

/**
 * Swagger UI in a real Chromium, which takes a minute to draw its pages.
 *
 * @type {import('jest').Config}
 */
module.exports = {
  ...everyTest,
  roots: ['<rootDir>/test/browser'],
  testPathIgnorePatterns: ['/node_modules/', ...withoutBrowser.map(({ folder }) => folder)],
  reporters: everyTest.reporters.map((reporter) =>
    Array.isArray(reporter) ? [reporter[0], { leftOut: withoutBrowser }] : reporter,
  ),
};
