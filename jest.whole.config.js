const { mkdirSync, readdirSync, rmSync, writeFileSync } = require('node:fs');
const { join } = require('node:path');
const config = require('./jest.config.js');

const OPERATIONS = join(__dirname, 'test/api');
const GROUPS = join(__dirname, '.cache/test-groups');

/**
 * `npm test`: every test, with the files of test/api/<tag> as one file for each tag. Jest loads the whole service anew for
 * each file, which takes longer than most of them run; so they share it, in blocks that are called like the files.
 */
function groupOperations() {
  rmSync(GROUPS, { recursive: true, force: true });
  mkdirSync(GROUPS, { recursive: true });
  for (const tag of readdirSync(OPERATIONS)) {
    const files = readdirSync(join(OPERATIONS, tag)).filter((file) => file.endsWith('.test.ts'));
    const blocks = files.map(
      (file) => `describe('${file}', () => {\n  require('../../test/api/${tag}/${file}');\n});\n`,
    );
    writeFileSync(join(GROUPS, `${tag}.test.ts`), blocks.join('\n'));
  }
}

// The workers load this file too.
if (process.env.JEST_WORKER_ID === undefined) {
  groupOperations();
}

/** @type {import('jest').Config} */
module.exports = {
  ...config,
  roots: [...config.roots, '<rootDir>/.cache/test-groups'],
  testMatch: ['**/*.test.ts', '**/.cache/test-groups/*.test.ts'],
  testPathIgnorePatterns: [...config.testPathIgnorePatterns, '<rootDir>/test/api/'],
};
