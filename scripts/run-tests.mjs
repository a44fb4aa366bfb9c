/**
 * Runs jest with the arguments of this script, and each file that failed once more, alone and after all others, so that a
 * failure by chance costs a minute instead of a run. What passed only then is named in a line that begins with FLAKY, and the
 * last line is the result of both runs: see docs/testing.md.
 */
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { constants, tmpdir } from 'node:os';
import { join, relative } from 'node:path';

/** More do not fail by chance: something that they all need is broken, and running them again would only take time. */
const RETRIED_FILES_MAX = 20;
/** Its workers are started with the same. The young of a worker that has loaded the application survive a smaller space. */
const NODE_OPTIONS = ['--max-semi-space-size=64'];
/** What stands in place of a test's name where jest names none. */
const COULD_NOT_RUN = 'could not run';
const FAILED_OUTSIDE = 'failed outside its tests';

/** The project's own jest, and what jest brings itself, as seen from the folder in which this script is started. */
const requireOfProject = createRequire(join(process.cwd(), 'package.json'));
const jestPath = requireOfProject.resolve('jest/bin/jest');
const requireOfJest = createRequire(jestPath);

let jest;
let stoppedBy;
for (const signal of ['SIGINT', 'SIGTERM']) {
  process.on(signal, () => {
    stoppedBy = signal;
    jest.kill(signal);
  });
}

process.exitCode = await runTests(process.argv.slice(2));

async function runTests(args) {
  const { results, problem, exitCode } = await runJest(args);
  if (problem !== undefined) {
    return end(`No result: ${problem}.`, exitCode);
  }
  const counts = {
    passed: results.numPassedTests,
    failed: results.numFailedTests + results.numRuntimeErrorTestSuites,
    skipped: results.numPendingTests,
  };
  const files = failedFiles(results);
  if (files.length > RETRIED_FILES_MAX) {
    process.stdout.write(`\n${files.length} files failed, which is no chance: none of them is run again.\n`);
    return end(closingLine(counts), 1);
  }
  if (files.length === 0) {
    return end(closingLine(counts), 0);
  }
  return retry(args, results, files);
}

/** Runs the failed files once more and reports what the two runs say together. Returns the exit code. */
async function retry(args, results, files) {
  const selection = withoutPaths(args);
  const flaky = [];
  const counts = { passed: results.numPassedTests, failed: 0, skipped: results.numPendingTests };
  let hasFailedAgain = false;
  for (const file of files) {
    const name = relative(process.cwd(), file);
    process.stdout.write(`\nOnce more, because it failed: ${name}\n`);
    const first = resultOf(file, results);
    const again = await runJest([...selection, '--runTestsByPath', file]);
    if (stoppedBy !== undefined) {
      return end(`No result: ${again.problem}.`, again.exitCode);
    }
    const second = again.results === undefined ? undefined : resultOf(file, again.results);
    // A file may end the process that runs it. What it did in the first run is then all that is known of it.
    if (second === undefined) {
      process.stdout.write(
        `${name} counts as it did in the first run: ${again.problem ?? 'it was not found'}.\n`,
      );
    }
    const { passed, failed, skipped } = second ?? first;
    counts.passed += passed.length - first.passed.length;
    counts.failed += failed.length;
    counts.skipped += skipped.length - first.skipped.length;
    const isBroken = failed.length > 0;
    hasFailedAgain ||= isBroken;
    // Some names hold what is new in each run, so a file that passes clears all of its names. Two tests may share a name.
    const cleared = first.failed.filter(
      (test) => !isBroken || (passed.includes(test) && !failed.includes(test)),
    );
    flaky.push(...new Set(cleared.map((test) => `FLAKY: ${name} › ${test}\n`)));
  }
  process.stdout.write(`\n${flaky.join('')}`);
  return end(closingLine(counts), hasFailedAgain ? 1 : 0);
}

/**
 * Runs jest, which prints its usual report, and gives its results, or the problem and the exit code with which to end where
 * there are none that can be trusted.
 */
async function runJest(args) {
  const output = join(tmpdir(), `jest-results-${randomUUID()}.json`);
  // Before the arguments, because what comes after a -- among them is a path.
  const command = [...NODE_OPTIONS, jestPath, '--json', `--outputFile=${output}`, ...args];
  jest = spawn(process.execPath, command, {
    stdio: 'inherit',
    // Two closing lines in one output would leave its reader to find out which of them counts.
    env: { ...process.env, JEST_CLOSING_LINE: 'none' },
  });
  try {
    const [exitCode, signal] = await once(jest, 'exit');
    const endedBy = stoppedBy ?? signal;
    if (endedBy) {
      return {
        problem: `jest was stopped by ${endedBy}`,
        exitCode: exitCode || 128 + constants.signals[endedBy],
      };
    }
    const results = existsSync(output) ? JSON.parse(readFileSync(output, 'utf8')) : undefined;
    // Where it finds no test, jest has written results of nothing or not, as quickly as it ends.
    if (exitCode === 0 ? results === undefined : !results || failedFiles(results).length === 0) {
      const problem = `jest exited with ${exitCode} and reported no ${exitCode === 0 ? 'result' : 'failed test'}`;
      return { problem, exitCode: exitCode || 1 };
    }
    return { results };
  } finally {
    rmSync(output, { force: true });
  }
}

/** In the order of their names, and each once although two projects may run the same file. */
function failedFiles({ testResults }) {
  const failed = testResults.filter(({ status }) => status === 'failed').map(({ name }) => name);
  return [...new Set(failed)].sort();
}

/** The full names of a file's tests by what became of them, or undefined where it was not run. */
function resultOf(file, { testResults }) {
  const runs = testResults.filter(({ name }) => name === file);
  if (runs.length === 0) {
    return undefined;
  }
  const tests = runs.flatMap(({ assertionResults }) => assertionResults);
  const named = (status) =>
    tests
      .filter((test) => test.status === status)
      .map(({ ancestorTitles, title }) => [...ancestorTitles, title].join(' › ').replaceAll(/\s+/g, ' '));
  const failed = named('failed');
  if (failed.length === 0 && runs.some(({ status }) => status === 'failed')) {
    failed.push(tests.length === 0 ? COULD_NOT_RUN : FAILED_OUTSIDE);
  }
  return { passed: named('passed'), failed, skipped: named('pending') };
}

/** The arguments without the paths and patterns among them, whose files would otherwise run again beside the one that failed. */
function withoutPaths(args) {
  const { yargsOptions } = requireOfJest('jest-cli');
  const types = new Map(
    Object.entries(yargsOptions).flatMap(([name, { alias = name, type }]) => [
      [name, type],
      [alias, type],
    ]),
  );
  const kept = [];
  let valuesMax = 0;
  for (const arg of args) {
    if (arg === '--') {
      break;
    }
    if (arg.startsWith('-')) {
      kept.push(arg);
      valuesMax = valuesAfter(arg, types);
    } else if (valuesMax > 0) {
      kept.push(arg);
      valuesMax -= 1;
    }
  }
  return kept;
}

/** How many of the arguments after an option belong to it. A list takes all up to the next option. */
function valuesAfter(option, types) {
  const [name, value] = option.replace(/^-+/, '').split('=');
  const type = types.has(name) ? types.get(name) : 'boolean';
  if (type === 'array') {
    return Infinity;
  }
  return type === 'boolean' || value !== undefined ? 0 : 1;
}

function closingLine({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed, ${skipped} skipped`;
}

function end(line, exitCode) {
  process.stdout.write(`${line}\n`);
  return exitCode;
}
