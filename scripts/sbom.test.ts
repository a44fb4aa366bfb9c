import { execFile } from 'node:child_process';
import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import lock from '../package-lock.json';
import manifest from '../package.json';

const ROOT = join(__dirname, '..');

/** What `npm ci --omit=dev` may install, on any system: a version once, however many folders it is in. */
const installed = [
  ...new Set(
    Object.entries(lock.packages as Record<string, Locked>)
      .filter(([path, { dev, link }]) => path.includes('node_modules/') && dev !== true && link !== true)
      .map(([path, { version }]) => `${path.replace(/^.*node_modules\//, '')}@${version}`),
  ),
].toSorted();

interface Locked {
  version?: string;
  dev?: boolean;
  link?: boolean;
}

describe('the bill of materials', () => {
  it('names the package, whatever its folder is called, and all that it is installed with, and nothing else', async () => {
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
    const { metadata, components, dependencies } = JSON.parse(stdout) as Bill;
    expect(metadata.component).toMatchObject({ name: manifest.name, version: manifest.version });
    expect(components.map(({ name, version }) => `${name}@${version}`).toSorted()).toEqual(installed);
    const known = new Set([metadata.component, ...components].map((component) => component['bom-ref']));
    const named = dependencies.flatMap(({ ref, dependsOn }) => [ref, ...dependsOn]);
    expect(named.filter((ref) => !known.has(ref))).toEqual([]);
  });
});

interface Component {
  'bom-ref': string;
  name: string;
  version: string;
}

interface Bill {
  metadata: { component: Component };
  components: Component[];
  dependencies: { ref: string; dependsOn: string[] }[];
}
