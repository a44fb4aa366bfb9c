const { relative } = require('node:path');

const FILES = 10;

/** Prints the ten test files that took longest, so that a run that grows too long says where. */
module.exports = class SlowestFilesReporter {
  constructor({ rootDir }) {
    this.rootDir = rootDir;
  }

  onRunComplete(_, { testResults }) {
    const slowest = testResults
      .map(({ testFilePath, perfStats }) => ({ testFilePath, seconds: perfStats.runtime / 1000 }))
      .sort((one, other) => other.seconds - one.seconds)
      .slice(0, FILES);
    const lines = slowest.map(
      ({ testFilePath, seconds }) =>
        `${seconds.toFixed(1).padStart(7)} s ${relative(this.rootDir, testFilePath)}\n`,
    );
    // The default reporters print their summary after this hook.
    process.once('exit', () => process.stdout.write(`\nThe slowest files:\n${lines.join('')}\n`));
  }
};
