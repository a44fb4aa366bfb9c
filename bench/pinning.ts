import { execFileSync, spawnSync } from 'node:child_process';
import { availableParallelism } from 'node:os';

/** The server under load has a processor to itself; Postgres and the load generator share the other one. */
export const SERVER_CPU = 0;
export const OTHERS_CPU = 1;

/** Whether processes are kept on their processors; without that, throughput depends on where they happen to run. */
export const isPinned =
  availableParallelism() >= 2 && spawnSync('taskset', ['--version'], { stdio: 'ignore' }).status === 0;

/** A command that keeps to one processor from its start; the unchanged command where processes can't be pinned. */
export function pinned(cpu: number, command: [string, ...string[]]): [string, ...string[]] {
  return isPinned ? ['taskset', '-c', String(cpu), ...command] : command;
}

/** Moves a running process to a processor; children that it starts afterwards stay there too. */
export function pin(cpu: number, pid: number): void {
  if (isPinned) {
    execFileSync('taskset', ['-a', '-c', '-p', String(cpu), String(pid)], { stdio: 'ignore' });
  }
}
