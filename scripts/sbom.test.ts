import { execFile } from 'node:child_process';
import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import manifest from '../package.json';

const ROOT = join(__dirname, '..');

describe('the bill of materials', () => {
  it('has the name of the package, whatever its folder is called, and what it is installed with', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'elsewhere-'));
    for (const name of ['package.json', 'package-lock.json']) {
      await copyFile(join(ROOT, name), join(folder, name));
    }
    const script = [join(ROOT, 'scripts/sbom.mjs'), '--package-lock-only'];
    const { stdout } = await promisify(execFile)(process.execPath, script, {
      cwd: folder,
      maxBuffer: 64 * 1_048_576,
    });
    await rm(folder, { recursive: true });
    const { metadata, components } = JSON.parse(stdout) as {
      metadata: { component: { name: string; version: string } };
      components: { name: string }[];
    };
    expect(metadata.component).toMatchObject({ name: manifest.name, version: manifest.version });
    const names = components.map(({ name }) => name);
    expect([names.includes('fastify'), names.includes('jest')]).toEqual([true, false]);
  });
});
