import { execFile, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';

export const FOLDER = __dirname;
const ROOT = join(FOLDER, '../..');
const REQUIREMENTS = join(FOLDER, 'requirements.txt');
const OUTPUT_BYTES_MAX = 16 * 1024 * 1024;
const TOOL_TIMEOUT_MS = 180_000;
/** Only ends what hangs. */
const PIP_TIMEOUT_MS = 600_000;
const INSTALLED = join(FOLDER, 'node_modules/.package-lock.json');

const execute = promisify(execFile);

/** Installs the tools where they are missing or of other versions than the lock says; one worker of jest at a time. */
export async function installTools(): Promise<void> {
  if (isInstalled()) {
    return;
  }
  const leave = await enter(join(ROOT, '.cache/installing-tools'));
  try {
    if (!isInstalled()) {
      await execute('npm', ['ci', '--no-audit', '--no-fund'], { cwd: FOLDER, timeout: TOOL_TIMEOUT_MS });
    }
  } finally {
    leave();
  }
}

/** Waits until nobody else is within, but no longer than whoever is there may take. */
async function enter(folder: string): Promise<() => void> {
  mkdirSync(join(folder, '..'), { recursive: true });
  for (const endsAt = Date.now() + TOOL_TIMEOUT_MS; Date.now() < endsAt; await delay(200)) {
    try {
      mkdirSync(folder);
      break;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') {
        throw error;
      }
    }
  }
  return () => existsSync(folder) && rmdirSync(folder);
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

/** The folder of the packages of Python, which pip installs once; null where the machine has no pip, or pip reaches no index. */
export function pythonPackages(): string | null {
  const version = createHash('sha256').update(readFileSync(REQUIREMENTS)).digest('hex').slice(0, 12);
  const folder = join(ROOT, '.cache', `openai-python-${version}`);
  if (existsSync(folder)) {
    return folder;
  }
  const unfinished = `${folder}.${process.pid}`;
  mkdirSync(unfinished, { recursive: true });
  const target = ['--target', unfinished, '--requirement', REQUIREMENTS];
  const { status, stderr } = spawnSync(
    'python3',
    ['-m', 'pip', 'install', '--quiet', '--no-compile', ...target],
    { timeout: PIP_TIMEOUT_MS, encoding: 'utf8' },
  );
  if (status !== 0) {
    process.stderr.write(`LEFT OUT: what needs pip and the openai package of Python. ${stderr}\n`);
  } else if (!existsSync(folder)) {
    renameSync(unfinished, folder);
  }
  rmSync(unfinished, { recursive: true, force: true });
  return status === 0 ? folder : null;
}
