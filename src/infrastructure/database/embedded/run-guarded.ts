import { spawnGuarded } from './guarded-process';
import type { Account } from './server-account';

/** What a command answered. */
export interface CommandResult {
  /** 0 when it succeeded; null when a signal ended it. */
  exitCode: number | null;
  output: string;
}

/**
 * Runs a command to its end, guarded.
 *
 * @param command the program and its arguments.
 * @param account who to run it as; undefined for the user of this process.
 * @param input given to the command, which then finds the end of its input.
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
  // A command that fails early does not read its input; its exit code says so.
  child.stdin?.on('error', () => undefined);
  child.stdin?.end(input);
  await gone;
  return { exitCode: child.exitCode, output: Buffer.concat(chunks).toString('utf8').trim() };
}
