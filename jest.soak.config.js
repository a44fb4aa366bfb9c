const everyTest = require('./jest.config.js');

/**
 * Everything at once while everything is killed, see docs/operating.md. It starts what it needs itself.
 *
 * @type {import('jest').Config}
 */
module.exports = {
  ...everyTest,
  roots: ['<rootDir>/test/soak'],
  testPathIgnorePatterns: ['/node_modules/'],
  globalSetup: undefined,
  globalTeardown: undefined,
  reporters: ['default'],
  // A soak keeps what its clients were told, and is the only file.
  workerIdleMemoryLimit: undefined,
};
