import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import { join } from 'node:path';
import { FILES_MAX, FILES_OF_OWNER_MAX, TemporaryFiles } from './uploaded-files';

let root: string;
let files: TemporaryFiles;

beforeEach(async () => {
  root = await mkdtemp(join(os.tmpdir(), 'temporary-files-'));
  files = new TemporaryFiles(root);
});

afterEach(() => rm(root, { recursive: true, force: true }));

async function taken(owner: string | null, count: number): Promise<string[]> {
  const paths: string[] = [];
  for (let index = 0; index < count; index += 1) {
    const file = await files.create(owner);
    await file?.handle.close();
    if (file) {
      paths.push(file.path);
    }
  }
  return paths;
}

test('leaves room for others when one owner has as many files as it may', async () => {
  const own = await taken('a', FILES_MAX);
  expect(own).toHaveLength(FILES_OF_OWNER_MAX);
  expect(await taken('b', FILES_MAX)).toHaveLength(FILES_MAX - FILES_OF_OWNER_MAX);
  expect(await files.create('c')).toBeNull();
  expect(await files.create(null)).toBeNull();
});

test('has room again for the owner of a file that is removed, once however often it is removed', async () => {
  const [first = ''] = await taken('a', FILES_OF_OWNER_MAX);
  await Promise.all([files.remove(first), files.remove(first)]);
  expect(existsSync(first)).toBe(false);
  expect(files.count).toBe(FILES_OF_OWNER_MAX - 1);
  expect(await taken('a', 2)).toHaveLength(1);
});

test('removes nothing that it has not made', async () => {
  const other = join(root, 'other');
  await writeFile(other, 'kept');
  await files.remove(other);
  expect(existsSync(other)).toBe(true);
});

test('is not kept out by somebody who has made a folder or file of its name first', async () => {
  await writeFile(join(root, 'service-uploads'), '');
  const temporary = jest.spyOn(os, 'tmpdir').mockReturnValue(root);
  files = new TemporaryFiles();
  temporary.mockRestore();
  expect(await taken('a', 1)).toEqual([expect.stringContaining(join(root, 'service-uploads-'))]);
});
