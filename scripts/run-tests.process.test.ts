import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { until } from '../test/support/until';

const ROOT = join(__dirname, '..');
const SCRIPT = join(ROOT, 'scripts/run-tests.mjs');
const REPORTER = join(ROOT, 'test/support/jest/closing-line.reporter.js');
/** What the reporter of the project prints even where the script closes the run. */
const LEFT_OUT = 'LEFT OUT: test/redis needs a redis-server';

const PASSES = "it('adds', () => {});\nit.skip('subtracts', () => {});\n";
/** True at a file's first look at a name only. */
const IS_FIRST = `
  const { existsSync, writeFileSync } = require('node:fs');
  const isFirst = (name) => {
    const marker = __filename + '.' + name;
    const isNew = !existsSync(marker);
    writeFileSync(marker, '');
    return isNew;
  };
`;
const FLAKY = `${IS_FIRST}
  describe('an account', () => {
    it('opens', () => {});
    it('pays', () => expect(isFirst('pays')).toBe(false));
  });
`;
const FAILS = `
  it('stands', () => {});
  it('falls', () => { throw new Error('as always'); });
`;

describe('the run of all tests', () => {
  let folder: string;
  let temporary: string;

  beforeEach(async () => {
    folder = await realpath(await mkdtemp(join(tmpdir(), 'tested-')));
    temporary = join(folder, 'temporary');
    await mkdir(temporary);
    await mkdir(join(folder, 'test'));
    await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
    const leftOut = [{ folder: 'test/redis', needs: 'a redis-server' }];
    const project = (name: string) => ({
      displayName: name,
      rootDir: folder,
      transform: {},
      globals: { leftOut },
    });
    const config = {
      projects: [
        { ...project('unit'), testMatch: ['<rootDir>/test/**/*.test.js'] },
        { ...project('other'), testMatch: ['<rootDir>/other/**/*.test.js'] },
      ],
      reporters: ['default', REPORTER],
      maxWorkers: 1,
    };
    await writeFile(join(folder, 'jest.config.js'), `module.exports = ${JSON.stringify(config)};\n`);
  });
  afterEach(() => rm(folder, { recursive: true }));

  const write = (name: string, source: string) => writeFile(join(folder, 'test', `${name}.test.js`), source);

  function start(command: string[]) {
    // Where the run of all tests is itself what runs this, its settings must not be those of the runs below it.
    const env = { ...process.env, TMPDIR: temporary, JEST_CLOSING_LINE: undefined, FORCE_COLOR: '0' };
    return spawn(process.execPath, command, { cwd: folder, env });
  }

  /** What the script prints on its standard output, where nothing but lines of its own and of the reporters comes. */
  async function run(...args: string[]): Promise<{ exitCode: number; lines: string[]; report: string }> {
    const child = start([SCRIPT, ...args]);
    const [out, report, [exitCode]] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      once(child, 'close') as Promise<[number]>,
    ]);
    return { exitCode, lines: out.trimEnd().split('\n'), report };
  }

  it('prints the usual report and one closing line where all pass, and runs nothing again', async () => {
    await write('passes', PASSES);
    const { exitCode, lines, report } = await run();
    expect([exitCode, lines]).toEqual([0, [LEFT_OUT, '1 passed, 0 failed, 1 skipped']]);
    expect(report).toMatch(/PASS .*test\/passes\.test\.js[^]*Tests: +1 skipped, 1 passed, 2 total/);
    expect(await leftBehind()).toEqual([]);
  });

  it('leaves the closing line of a plain run to the reporter', async () => {
    await write('passes', PASSES);
    const child = start([join(ROOT, 'node_modules/jest/bin/jest.js')]);
    child.stderr.resume();
    expect(await text(child.stdout)).toBe(`${LEFT_OUT}\n1 passed, 0 failed, 1 skipped\n`);
  });

  it('passes where a test passes when it is run again, counts it once, and names it', async () => {
    await write('passes', PASSES);
    await write('flaky', FLAKY);
    const { exitCode, lines, report } = await run();
    expect([exitCode, lines]).toEqual([
      0,
      [
        LEFT_OUT,
        '',
        'Once more, because it failed: test/flaky.test.js',
        LEFT_OUT,
        '',
        'FLAKY: test/flaky.test.js › an account › pays',
        '3 passed, 0 failed, 1 skipped',
      ],
    ]);
    expect(report.match(/^(?:PASS|FAIL) .*/gm)?.toSorted()).toEqual([
      expect.stringMatching(/FAIL .*flaky/),
      expect.stringMatching(/PASS .*flaky/),
      expect.stringMatching(/PASS .*passes/),
    ]);
    expect(await leftBehind()).toEqual([]);
  });

  it('fails where a test fails twice, and counts it once', async () => {
    await write('passes', PASSES);
    await write('fails', FAILS);
    const { exitCode, lines } = await run();
    expect([exitCode, lines]).toEqual([
      1,
      [
        LEFT_OUT,
        '',
        'Once more, because it failed: test/fails.test.js',
        LEFT_OUT,
        '',
        '2 passed, 1 failed, 1 skipped',
      ],
    ]);
  });

  it('names only what passed when it was run again where something fails twice', async () => {
    await write('fails', FAILS);
    await write('flaky', FLAKY);
    await write('mixed', `${FAILS}${FLAKY}`);
    expect(await run()).toMatchObject({
      exitCode: 1,
      lines: [
        LEFT_OUT,
        '',
        'Once more, because it failed: test/fails.test.js',
        LEFT_OUT,
        '',
        'Once more, because it failed: test/flaky.test.js',
        LEFT_OUT,
        '',
        'Once more, because it failed: test/mixed.test.js',
        LEFT_OUT,
        '',
        'FLAKY: test/flaky.test.js › an account › pays',
        'FLAKY: test/mixed.test.js › an account › pays',
        '6 passed, 2 failed, 0 skipped',
      ],
    });
  });

  it('treats a file that cannot be run as one test, by chance or always', async () => {
    await write('once', `${IS_FIRST}if (isFirst('load')) { throw new Error('at load'); }\n${PASSES}`);
    expect(tailOf(await run())).toEqual([
      0,
      ['', 'FLAKY: test/once.test.js › could not run', '1 passed, 0 failed, 1 skipped'],
    ]);
    await write('always', "throw new Error('at load');\n");
    expect(tailOf(await run())).toEqual([1, ['', '1 passed, 1 failed, 1 skipped']]);
  });

  it('notices what fails outside the tests of a file', async () => {
    await write('once', `${IS_FIRST}afterAll(() => expect(isFirst('end')).toBe(false));\n${PASSES}`);
    expect(tailOf(await run())).toEqual([
      0,
      ['', 'FLAKY: test/once.test.js › failed outside its tests', '1 passed, 0 failed, 1 skipped'],
    ]);
  });

  it('counts a file as before where it ends the process that runs it again', async () => {
    const end = "if (isFirst('end')) { throw new Error('at first'); } else { process.exit(3); }";
    await write('ends', `${IS_FIRST}it('ends', () => { ${end} });\n`);
    expect(tailOf(await run())).toEqual([1, ['', '0 passed, 1 failed, 0 skipped']]);
  });

  it('runs one file again with the options of the first run, but not its paths', async () => {
    await write('flaky', FLAKY);
    await write('fails', FAILS);
    await mkdir(join(folder, 'other'));
    await writeFile(join(folder, 'other/fails.test.js'), FAILS);
    const selected = ['test/fl', '--selectProjects', 'unit', '-t', 'pays', '--config', 'jest.config.js'];
    expect(await run(...selected, '--', 'flaky')).toMatchObject({
      exitCode: 0,
      lines: [
        LEFT_OUT,
        '',
        'Once more, because it failed: test/flaky.test.js',
        LEFT_OUT,
        '',
        'FLAKY: test/flaky.test.js › an account › pays',
        '1 passed, 0 failed, 1 skipped',
      ],
    });
  });

  it('runs nothing again where more than twenty files fail', async () => {
    await Promise.all(Array.from({ length: 21 }, (_, index) => write(`fails-${index}`, FAILS)));
    expect(tailOf(await run())).toEqual([
      1,
      [
        '',
        '21 files failed, which is no chance: none of them is run again.',
        '21 passed, 21 failed, 0 skipped',
      ],
    ]);
  });

  it('fails where no test is found, and where jest itself fails', async () => {
    await write('passes', PASSES);
    for (const args of [['nowhere'], ['--config', 'nowhere.json']]) {
      const { exitCode, lines } = await run(...args);
      const end = 'No result: jest exited with 1 and reported no failed test.';
      expect([exitCode, lines.filter((line) => line !== LEFT_OUT)]).toEqual([1, [end]]);
    }
  });

  it('hands a signal on to jest, and ends after it', async () => {
    await write('waits', `${IS_FIRST}it('waits', () => new Promise(() => isFirst('started')), 2 ** 30);\n`);
    const child = start([SCRIPT]);
    child.stderr.resume();
    await until('the test has begun', () => existsSync(join(folder, 'test/waits.test.js.started')));
    child.kill('SIGTERM');
    const [out, [exitCode]] = await Promise.all([
      text(child.stdout),
      once(child, 'exit') as Promise<[number]>,
    ]);
    expect([exitCode, out]).toEqual([143, 'No result: jest was stopped by SIGTERM.\n']);
    expect(await leftBehind()).toEqual([]);
  });

  /** The script's own files; jest keeps its cache in the same folder. */
  async function leftBehind(): Promise<string[]> {
    return (await readdir(temporary)).filter((name) => name.startsWith('jest-results'));
  }

  /** From the last empty line on. */
  function tailOf({ exitCode, lines }: { exitCode: number; lines: string[] }): [number, string[]] {
    return [exitCode, lines.slice(lines.lastIndexOf(''))];
  }
});
