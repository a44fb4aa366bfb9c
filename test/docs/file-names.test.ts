import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join, normalize } from 'node:path';

const ROOT = join(__dirname, '../..');

/** Every file that belongs to the project: what git tracks and what it would. */
const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { cwd: ROOT })
  .toString()
  .split('\n')
  .filter((file) => file !== '' && existsSync(join(ROOT, file)));
const paths = new Set(files.flatMap((file) => [file, ...foldersOf(file)]));
const names = new Set(files.map((file) => basename(file)));

const PAGES = [
  'CONTRIBUTING.md',
  'README.md',
  // That of the clients names files of theirs.
  ...files.filter((file) => /^docs\/(?!clients)[^/]+\.md$/.test(file)),
  ...files.filter((file) => /^(?:src|test|scripts|bench)\/.*README\.md$/.test(file)),
];

/** What docs/extending.md has its reader create, and what it has the generator write for that. */
const CREATED = /greet|farewell/i;

const NAMED_FILE = /(?<![\w*<>…/@.-])(?:\.\.\/)*[\w][\w./-]*\.(?:ts|sql|yaml|mjs|cjs)\b(?![\w/])/g;
const IMPORT = /import (?:type )?\{([^}]*)\} from '(\.[^']*)'/g;

describe('the files that the pages for developers name', () => {
  it.each(PAGES)('%s', (page) => {
    expect(wrongNames(page, read(page))).toEqual([]);
  });

  it('are found missing where a page names one that is gone', () => {
    const text =
      '`gone.ts`, src/gone/ledger.ts, `ledger/ledger.ts`, `ledger.ts`\n\n## Next\nFiles without a folder stand in ' +
      "`src/pipeline`. http/gone.sql, http/answer-hooks.ts\nimport { Gone, Ledger } from '../ledger/ledger';";
    expect(wrongNames('docs/architecture.md', text)).toEqual([
      'gone.ts',
      'src/gone/ledger.ts',
      'http/gone.sql',
      'Gone of ../ledger/ledger',
    ]);
  });
});

/** The names of files that do not exist, and of what no file exports that a block of code imports. */
function wrongNames(page: string, text: string): string[] {
  const [told = ''] = text.split('\n## What failed by chance\n');
  const lacking = told.split('\n## ').flatMap((section) => {
    const [, folder = '.'] = /Files without a folder stand in `([^`]+)`/.exec(section) ?? [];
    // What a block of YAML refers to stands beside the paths of the document.
    const places = ['.', 'src', folder, dirname(page), 'openapi/paths'];
    return [...section.matchAll(NAMED_FILE)].map(([name]) => name).filter((name) => !exists(name, places));
  });
  const unknown = [...told.matchAll(IMPORT)].flatMap(([, imported = '', from = '']) =>
    imported
      .split(',')
      .map((name) => name.trim().replace('type ', ''))
      .filter((name) => name !== '' && !CREATED.test(`${name} ${from}`) && !isExported(name, from))
      .map((name) => `${name} of ${from}`),
  );
  return [...lacking, ...unknown];
}

/** A name with a folder is a path from one of the places; one without stands for a file somewhere in the project. */
function exists(name: string, places: readonly string[]): boolean {
  return (
    CREATED.test(name) ||
    (name.includes('/') ? places.some((place) => paths.has(normalize(join(place, name)))) : names.has(name))
  );
}

/** Whether a file of the project exports it. What a block imports is told from the root and from src alike. */
function isExported(name: string, from: string): boolean {
  const path = `${from.replace(/^(?:\.{1,2}\/)+/, '')}.ts`;
  const file = [path, `src/${path}`, `test/${path}`].find((candidate) => paths.has(candidate));
  return (
    file !== undefined &&
    new RegExp(`\\bexport\\b[^;{]*[ {]${name}\\b|export type \\{[^}]*\\b${name}\\b`).test(read(file))
  );
}

function foldersOf(file: string): string[] {
  const folder = dirname(file);
  return folder === '.' ? [] : [folder, ...foldersOf(folder)];
}

function read(file: string): string {
  return readFileSync(join(ROOT, file), 'utf8');
}
