/** Closes the run with one plain line, so that whoever reads only the end knows what ran. */
module.exports = class ClosingLineReporter {
  onRunComplete(_, results) {
    const { numPassedTests: passed, numFailedTests: failed, numPendingTests: skipped } = results;
    const broken = results.numRuntimeErrorTestSuites;
    process.stdout.write(`${passed} passed, ${failed + broken} failed, ${skipped} skipped\n`);
  }
};
