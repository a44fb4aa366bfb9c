import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

const ROOT = join(__dirname, '../../..');
/** Where the guide's programs look for the service. */
const USUAL = 'ws://127.0.0.1:3000';

/**
 * Runs the program of docs/sockets.md for a path, as it stands there but for the address of the service.
 *
 * @param url of the service, by http
 * @param after what the program does then; it has to close its socket
 */
export async function runGuideProgram(
  path: string,
  { url, key, after }: { url: string; key: string; after: string },
): Promise<{ stdout: string; stderr: string }> {
  const guide = readFileSync(join(ROOT, 'docs/sockets.md'), 'utf8');
  const programs = [...guide.matchAll(/```js\n([^]*?)```/g)].map(([, program = '']) => program);
  const program = programs.find((text) => text.includes(USUAL + path));
  if (program === undefined) {
    throw new Error(`docs/sockets.md has no program for ${path}`);
  }
  const text = `${program.replace(USUAL, url.replace(/^http/, 'ws'))}\n${after}`;
  return promisify(execFile)(process.execPath, ['--input-type=module', '--eval', text], {
    cwd: ROOT,
    env: { ...process.env, KEY: key },
  });
}
