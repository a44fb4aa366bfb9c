import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

const ROOT = join(__dirname, '../..');
const LINES_MAX = 400;
const README_LINES_MAX = 5;
const VAGUE_NAMES = /(?:^|[-.])(?:utils?|helpers?|common|manager|misc)(?:[-.]|$)/;

/** Every file that belongs to the project: what git tracks and what it would, generated code left out. */
const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { cwd: ROOT })
  .toString()
  .split('\n')
  .filter((file) => file !== '' && !file.startsWith('generated/') && existsSync(join(ROOT, file)));
const sources = files.filter((file) => /\.(?:ts|cjs|mjs|js)$/.test(file));

describe('tidy', () => {
  it('keeps source files under 400 lines', () => {
    const long = sources.filter((file) => read(file).split('\n').length > LINES_MAX);
    expect(long).toEqual([]);
  });

  it('opens every folder of src, but that of the migrations, with a short README', () => {
    const folders = new Set(
      sources
        .filter((file) => /^src\/[^/]+\//.test(file))
        .map((file) => dirname(file))
        .filter((folder) => !folder.endsWith('/migrations')),
    );
    const missing = [...folders].filter((folder) => !existsSync(join(ROOT, folder, 'README.md')));
    expect(missing).toEqual([]);
    const long = [...folders].filter(
      (folder) => read(`${folder}/README.md`).trim().split('\n').length > README_LINES_MAX,
    );
    expect(long).toEqual([]);
  });

  it('gives no file or folder a vague name', () => {
    const vague = sources.filter((file) => file.split('/').some((part) => VAGUE_NAMES.test(basename(part))));
    expect(vague).toEqual([]);
  });

  it('leaves no marks of unfinished work and switches no test off', () => {
    const marks = new RegExp(
      [
        'TO' + 'DO',
        'FIX' + 'ME',
        '\\b(?:it|test|describe)\\.(?:skip|only)\\(',
        '\\bxit\\(',
        '@ts-ig' + 'nore',
      ].join('|'),
    );
    expect(sources.filter((file) => marks.test(read(file)))).toEqual([]);
  });

  it('keeps every operation in a test file of its own', () => {
    const schemas = read('generated/contract.ts');
    const operations = [...schemas.matchAll(/operationId: '(\w+)', tag: '([\w-]+)'/g)];
    const missing = operations
      .map(([, id = '', tag = '']) => `test/api/${tag}/${kebab(id)}.test.ts`)
      .filter((file) => !files.includes(file));
    expect(operations.length).toBeGreaterThan(0);
    expect(missing).toEqual([]);
  });
});

function read(file: string): string {
  return readFileSync(join(ROOT, file), 'utf8');
}

function kebab(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
