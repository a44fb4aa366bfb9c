const { mkdirSync, readdirSync, rmSync, writeFileSync } = require('node:fs');
const { join } = require('node:path');
const config = require('./jest.config.js');

const GROUPS = join(__dirname, '.cache/test-groups');
/** More files in one would leave a worker idle at the end, while the other one works through the last group. */
const FILES_MAX = 14;
/** Those of single parts take a second each, and those of faults longest. */
const UNIT_FILES_MAX = 40;
const FAULT_FILES_MAX = 6;
/** The folders whose files are grouped, with those of the folders in them, and under which name. */
const FOLDERS = [
  ...['api', 'pipeline', 'sdk', 'events', 'work'].map((name) => [`test/${name}`, `${name}-tests`, FILES_MAX]),
  ...['contract', 'faults', 'redis'].map((name) => [`test/${name}`, `${name}-tests`, FAULT_FILES_MAX]),
  ...['config', 'contract', 'core', 'infrastructure', 'modules', 'pipeline', 'upkeep'].map((name) => [
    `src/${name}`,
    `units-of-${name}`,
    UNIT_FILES_MAX,
  ]),
];

/** What is left out of a run without groups is left out of the groups too. */
function isLeftOut(path) {
  return config.testPathIgnorePatterns.some((pattern) =>
    new RegExp(pattern.replace('<rootDir>', __dirname)).test(path),
  );
}

/**
 * `npm test`: every test, with the files of some folders in one file for each folder. Jest loads what they try anew for
 * each file, which takes longer than most of them run; so they share it, in blocks that are called like the files.
 */
function groupTests() {
  rmSync(GROUPS, { recursive: true, force: true });
  mkdirSync(GROUPS, { recursive: true });
  for (const [folder, name, filesMax] of FOLDERS) {
    const files = readdirSync(join(__dirname, folder), { recursive: true })
      .filter((file) => file.endsWith('.test.ts') && !isLeftOut(join(__dirname, folder, file)))
      .sort();
    const groups = Math.ceil(files.length / filesMax);
    for (let group = 0; group < groups; group += 1) {
      const blocks = files
        .filter((_, index) => index % groups === group)
        .map((file) => `describe('${file}', () => {\n  require('../../${folder}/${file}');\n});\n`);
      writeFileSync(join(GROUPS, `${name}${group === 0 ? '' : `-${group + 1}`}.test.ts`), blocks.join('\n'));
    }
  }
}

// The workers load this file too.
if (process.env.JEST_WORKER_ID === undefined) {
  groupTests();
}

/** @type {import('jest').Config} */
module.exports = {
  ...config,
  // Many tests wait for what takes time, not for a core: a third worker uses theirs meanwhile.
  maxWorkers: 3,
  roots: [...config.roots, '<rootDir>/.cache/test-groups'],
  testMatch: ['**/*.test.ts', '**/.cache/test-groups/*.test.ts'],
  testPathIgnorePatterns: [
    ...config.testPathIgnorePatterns,
    ...FOLDERS.map(([folder]) => `<rootDir>/${folder}/`),
  ],
};
