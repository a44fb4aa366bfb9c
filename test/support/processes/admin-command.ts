import { spawn, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { run as runCommand } from '../../../scripts/admin/main';

const MAIN = join(__dirname, '../../../dist/scripts/admin/main.js');

/** How a run of the command ended, and what it printed. */
export interface CommandRun {
  exitCode: number | null;
  output: string;
  errors: string;
}

/**
 * Runs the command of operators in this process, with nobody at its keyboard: to load it anew for each command takes longer
 * than what it does. One at a time, because it reads the process's environment.
 */
export async function runAdminCommand(
  args: readonly string[],
  environment: Record<string, string>,
): Promise<CommandRun> {
  const run = { output: '', errors: '' };
  const into = (stream: keyof typeof run) =>
    new Writable({
      write: (chunk: Buffer, _, done) => {
        run[stream] += chunk.toString();
        done();
      },
    });
  const terminal = { input: Readable.from([]), output: into('output'), errors: into('errors') };
  const intact = process.env;
  process.env = { PATH: intact.PATH, ...environment };
  try {
    return { exitCode: await runCommand(terminal, args), ...run };
  } finally {
    process.env = intact;
  }
}

/** The same as a process of its own, compiled, for a test that breaks it off or holds it to how it ends. */
export function startAdminCommand(
  args: readonly string[],
  environment: Record<string, string>,
): { child: ChildProcess; ended: Promise<CommandRun> } {
  const child = spawn(process.execPath, [MAIN, ...args], {
    env: { PATH: process.env.PATH, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const run = { output: '', errors: '' };
  child.stdout.on('data', (chunk: Buffer) => (run.output += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (run.errors += chunk.toString()));
  const ended = new Promise<CommandRun>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (exitCode) => resolve({ exitCode, ...run }));
  });
  return { child, ended };
}
