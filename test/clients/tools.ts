import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

export const FOLDER = __dirname;
const OUTPUT_BYTES_MAX = 16 * 1024 * 1024;
const TOOL_TIMEOUT_MS = 180_000;
const INSTALLED = join(FOLDER, 'node_modules/.package-lock.json');

const execute = promisify(execFile);

/** Installs the tools where they are missing or of other versions than the lock says. */
export async function installTools(): Promise<void> {
  if (!isInstalled()) {
    await execute('npm', ['ci', '--no-audit', '--no-fund'], { cwd: FOLDER, timeout: TOOL_TIMEOUT_MS });
  }
}

/** Runs one of the tools and returns everything that it printed. @throws when it fails, with what it printed */
export async function runTool(name: string, ...parameters: string[]): Promise<string> {
  const command = name === 'node' ? process.execPath : join(FOLDER, 'node_modules/.bin', name);
  const options = { cwd: FOLDER, maxBuffer: OUTPUT_BYTES_MAX, timeout: TOOL_TIMEOUT_MS };
  try {
    const { stdout, stderr } = await execute(command, parameters, options);
    return stdout + stderr;
  } catch (failure) {
    const { stdout = '', stderr = '' } = failure as { stdout?: string; stderr?: string };
    throw new Error(`${name} failed:\n${stdout}${stderr}`, { cause: failure });
  }
}

/** npm keeps a copy of the lock that it installed from, without what is for other systems. */
function isInstalled(): boolean {
  if (!existsSync(INSTALLED)) {
    return false;
  }
  const installed = packagesIn(INSTALLED);
  const locked = Object.entries(packagesIn(join(FOLDER, 'package-lock.json')));
  return locked.every(([path, { version, optional }]) => {
    const found = installed[path];
    return path === '' || (found ? found.version === version : optional === true);
  });
}

interface LockedPackage {
  version?: string;
  optional?: boolean;
}

function packagesIn(lock: string): Record<string, LockedPackage> {
  return (JSON.parse(readFileSync(lock, 'utf8')) as { packages: Record<string, LockedPackage> }).packages;
}
