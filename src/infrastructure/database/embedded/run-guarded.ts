import { spawnGuarded } from './guarded-process';
import type { Account } from './server-account';

/** How a command ended. */
export interface CommandResult {
  /** 0 when it succeeded; null when a signal ended it. */
  exitCode: number | null;
  /** Its output and its error output together. */
  output: string;
}

/**
 * Runs a command to its end. If this process dies before, the command is ended too.
 *
 * @param command the program and its arguments.
 * @param account the user that runs it; undefined for the user of this process.
 * @param input all that the command can read from its input.
 * @throws Error when the shell that runs the command cannot be started
 */
export async function runGuarded(
  command: string[],
  account: Account | undefined,
  input = '',
): Promise<CommandResult> {
  const { child, gone } = spawnGuarded(command, account, ['pipe', 'pipe', 'pipe']);
  const chunks: Buffer[] = [];
  child.stdout?.on('data', (chunk: Buffer) => chunks.push(chunk));
  child.stderr?.on('data', (chunk: Buffer) => chunks.push(chunk));
  // Writing fails when the command ends before it has read its input. The exit code tells whether it failed.
  child.stdin?.on('error', () => undefined);
  child.stdin?.end(input);
  await gone;
  return { exitCode: child.exitCode, output: Buffer.concat(chunks).toString('utf8').trim() };
}
