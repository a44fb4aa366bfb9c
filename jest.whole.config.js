const { mkdirSync, readdirSync, rmSync, writeFileSync } = require('node:fs');
const { join } = require('node:path');
const config = require('./jest.config.js');

const GROUPS = join(__dirname, '.cache/test-groups');
/** More files in one would leave a worker idle at the end, while the other one works through the last group. */
const FILES_MAX = 14;
/** The folders whose files are grouped, and under which name. */
const FOLDERS = [
  ...readdirSync(join(__dirname, 'test/api')).map((tag) => [`test/api/${tag}`, tag]),
  ...['pipeline', 'sdk', 'events', 'work'].map((name) => [`test/${name}`, `${name}-tests`]),
];

/**
 * `npm test`: every test, with the files of some folders in one file for each folder. Jest loads the whole service anew for
 * each file, which takes longer than most of them run; so they share it, in blocks that are called like the files.
 */
function groupTests() {
  rmSync(GROUPS, { recursive: true, force: true });
  mkdirSync(GROUPS, { recursive: true });
  for (const [folder, name] of FOLDERS) {
    const files = readdirSync(join(__dirname, folder)).filter((file) => file.endsWith('.test.ts'));
    const groups = Math.ceil(files.length / FILES_MAX);
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
  roots: [...config.roots, '<rootDir>/.cache/test-groups'],
  testMatch: ['**/*.test.ts', '**/.cache/test-groups/*.test.ts'],
  testPathIgnorePatterns: [
    ...config.testPathIgnorePatterns,
    ...FOLDERS.map(([folder]) => `<rootDir>/${folder}/`),
  ],
};
