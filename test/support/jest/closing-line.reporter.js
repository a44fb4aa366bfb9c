/**
 * Closes the run with one plain line, so that whoever reads only the end knows what ran, and before it what did not.
 * scripts/run-tests.mjs sets JEST_CLOSING_LINE=none, because it closes its runs with a line for all of them.
 */
module.exports = class ClosingLineReporter {
  onRunComplete(contexts, results) {
    const { numPassedTests: passed, numFailedTests: failed, numPendingTests: skipped } = results;
    const broken = results.numRuntimeErrorTestSuites;
    const line =
      process.env.JEST_CLOSING_LINE === 'none'
        ? ''
        : `${passed} passed, ${failed + broken} failed, ${skipped} skipped
`;
    const missing = [...contexts]
      .flatMap(({ config }) => config.globals.leftOut)
      .map(
        ({ folder, needs }) => `LEFT OUT: ${folder} needs ${needs}
`,
      );
    // The default reporters print their summary after this hook.
    process.once('exit', () => process.stdout.write(missing.join('') + line));
  }
};
