import { spawn, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';

const MAIN = join(__dirname, '../../../dist/scripts/admin/main.js');

/** How a run of the command ended, and what it printed. */
export interface CommandRun {
  exitCode: number | null;
  output: string;
  errors: string;
}

/** Runs the compiled command of operators as a process of its own, with nobody at its keyboard. */
export function runAdminCommand(
  args: readonly string[],
  environment: Record<string, string>,
): Promise<CommandRun> {
  return startAdminCommand(args, environment).ended;
}

/** The same, for a test that breaks it off. */
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
