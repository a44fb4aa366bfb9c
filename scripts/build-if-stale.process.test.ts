import { execFile } from 'node:child_process';
import {
  cp,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import manifest from '../package.json';

const ROOT = join(__dirname, '..');
const SOURCES = ['src', 'generated', 'scripts', 'bench'];

/** Notes what a running service would find in dist while it is compiled anew. */
const LOOK = `
  const { appendFileSync, existsSync, readFileSync } = require('node:fs');
  const file = 'dist/src/file.js';
  appendFileSync('looks', existsSync(file) ? readFileSync(file, 'utf8') : 'nothing');`;

describe('the build of a start', () => {
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'built-'));
    for (const name of SOURCES) {
      await mkdir(join(folder, name));
      await writeFile(join(folder, name, 'file.ts'), 'export const version: number = 1;\n');
    }
    for (const name of ['.swcrc', 'scripts/build.mjs']) {
      await cp(join(ROOT, name), join(folder, name));
    }
    await writeFile(join(folder, 'look.cjs'), LOOK);
    await writePackage(`node look.cjs && ${manifest.scripts.build}`);
    await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  const writePackage = (build: string) =>
    writeFile(join(folder, 'package.json'), JSON.stringify({ scripts: { build } }));
  const build = () =>
    promisify(execFile)(process.execPath, [join(ROOT, 'scripts/build-if-stale.mjs')], { cwd: folder });
  const read = (path: string) => readFile(join(folder, path), 'utf8');
  const distFolders = async () => (await readdir(folder)).filter((name) => name.startsWith('dist'));
  /** With a time that a stamp of the same instant can't hide. */
  async function change(version: number): Promise<void> {
    const file = join(folder, 'src/file.ts');
    await writeFile(file, `export const version: number = ${version};\n`);
    const stamp = join(folder, 'dist/.built');
    await utimes(stamp, new Date(0), new Date(0));
  }

  it('compiles where there is nothing, and not again where nothing has changed', async () => {
    await mkdir(join(folder, 'made'));
    await build();
    expect(await Promise.all(SOURCES.map((name) => read(`dist/${name}/file.js`)))).toEqual(
      SOURCES.map(() => expect.stringContaining('version = 1') as string),
    );
    await build();
    expect(await read('looks')).toBe('nothing');
    // The user that the service runs as may be another one than the builder.
    expect((await stat(join(folder, 'dist'))).mode).toBe((await stat(join(folder, 'made'))).mode);
  });

  it('leaves a running service its files until the new ones are complete', async () => {
    await build();
    await writeFile(join(folder, 'dist/src/removed.js'), '');
    await change(2);
    await build();
    expect(await read('looks')).toMatch(/^nothing[^]*version = 1/);
    expect(await read('dist/src/file.js')).toContain('version = 2');
    expect(await readdir(join(folder, 'dist/src'))).not.toContain('removed.js');
    expect(await distFolders()).toEqual(['dist']);
  });

  it('is complete where several start at once', async () => {
    await build();
    await change(2);
    await Promise.all([build(), build(), build()]);
    expect(await read('dist/src/file.js')).toContain('version = 2');
    expect(await distFolders()).toEqual(['dist']);
  });

  it('leaves everything as it was where the compiler fails', async () => {
    await build();
    await change(2);
    await writePackage('exit 1');
    await expect(build()).rejects.toThrow();
    expect(await read('dist/src/file.js')).toContain('version = 1');
    expect(await distFolders()).toEqual(['dist']);
  });

  it('removes what a build left behind that was killed long ago, and nothing that one may be working on', async () => {
    for (const name of ['dist.new-killed', 'dist.old-killed', 'dist.new-at-work', 'dist.kept']) {
      await mkdir(join(folder, name));
    }
    for (const name of ['dist.new-killed', 'dist.old-killed', 'dist.kept']) {
      await utimes(join(folder, name), new Date(0), new Date(0));
    }
    await build();
    expect((await distFolders()).sort()).toEqual(['dist', 'dist.kept', 'dist.new-at-work']);
  });
});
