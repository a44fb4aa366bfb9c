import { type ChildProcess, execFileSync, spawn, type StdioOptions } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { Socket } from 'node:net';

export interface Account {
  uid: number;
  gid: number;
}

/** False for a zombie, which has ended but keeps its id. */
export function isAlive(pid: number): boolean {
  return isTaken(pid) && !/^Z/.test(processState(pid));
}

/** True for a zombie too; Postgres itself checks no more. */
export function isTaken(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

export function commandLine(pid: number): string {
  if (process.platform !== 'linux') {
    return processStatus(pid, 'command=');
  }
  return processFile(pid, 'cmdline').replaceAll('\0', ' ').trim();
}

/** Begins with proc(5)'s letter; Z is a zombie. */
function processState(pid: number): string {
  if (process.platform !== 'linux') {
    return processStatus(pid, 'stat=');
  }
  // The program's name is in brackets and may hold brackets and spaces.
  return processFile(pid, 'stat').replace(/^.*\) /s, '');
}

function processFile(pid: number, name: string): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8');
  } catch {
    return '';
  }
}

function processStatus(pid: number, column: string): string {
  try {
    return execFileSync('ps', ['-ww', '-o', column, '-p', String(pid)], { encoding: 'utf8' }).trim();
  } catch {
    return '';
  }
}

/**
 * A guard process reads a pipe that only our process holds open: a line means that the command ended, so it
 * ends too; the pipe's end means that our process died, so it ends the command, as endPostgres does. A
 * subshell starts the guard, which must be no child of Postgres: an unknown child's end counts as a crash.
 * Zombies count as ended, because a container's first process may not collect them.
 */
const PROGRAM = `
(
  (
    trap '' HUP INT TERM
    read -r line <&3 && exit
    kill -s INT -- "-$$"
    tenths=0
    while kill -s 0 "$$" 2>/dev/null; do
      case "$(cat "/proc/$$/stat" 2>/dev/null)" in *') Z '*) exit ;; esac
      sleep 0.1
      tenths=$((tenths + 1))
      [ "$tenths" -ne 200 ] || kill -s QUIT "$$"
      [ "$tenths" -ne 300 ] || kill -s KILL -- "-$$"
    done
  ) </dev/null &
)
exec "$@" 3<&-
`;

export interface GuardedProcess {
  child: ChildProcess;
  isRunning: () => boolean;
  /** Resolves once command and guard have ended; rejects when the shell cannot be started. */
  gone: Promise<void>;
  unref: () => void;
  ref: () => void;
}

/** Our variables must not change how Postgres behaves. */
const FIXED: GuardedPlace = {
  cwd: '/',
  env: { PATH: '/usr/local/bin:/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' },
};

interface GuardedPlace {
  cwd: string;
  env: NodeJS.ProcessEnv;
}

/** In its own session, so that our group's signals do not reach it. Without `account` as our user. */
export function spawnGuarded(
  command: string[],
  account: Account | undefined,
  stdio: ['ignore' | 'pipe', 'pipe' | number, 'pipe' | number],
  place: GuardedPlace = FIXED,
): GuardedProcess {
  const options: StdioOptions = [...stdio, 'pipe'];
  const child = spawn('/bin/sh', ['-c', PROGRAM, 'embedded-postgres-guard', ...command], {
    ...place,
    detached: true,
    stdio: options,
    ...account,
  });
  const leash = child.stdio[3] as Socket;
  // The guard may have ended already, and then nobody needs the line.
  leash.on('error', () => leash.destroy());
  leash.resume();
  child.once('exit', () => leash.end('over\n'));
  const gone = once(child, 'close').then(() => undefined);
  // Without a handler it would end the process when no caller waits.
  gone.catch(() => undefined);
  return {
    child,
    gone,
    isRunning: () => child.exitCode === null && child.signalCode === null,
    unref: () => {
      child.unref();
      leash.unref();
    },
    ref: () => {
      child.ref();
      leash.ref();
    },
  };
}

/** If this process dies, the command is ended too. A null code means a signal. */
export async function runGuarded(
  command: string[],
  account: Account | undefined,
  input = '',
): Promise<{ exitCode: number | null; output: string }> {
  const { child, gone } = spawnGuarded(command, account, ['pipe', 'pipe', 'pipe']);
  const chunks: Buffer[] = [];
  child.stdout?.on('data', (chunk: Buffer) => chunks.push(chunk));
  child.stderr?.on('data', (chunk: Buffer) => chunks.push(chunk));
  // A command may end before it has read its input; its exit code shows whether it failed.
  child.stdin?.on('error', () => undefined);
  child.stdin?.end(input);
  await gone;
  return { exitCode: child.exitCode, output: Buffer.concat(chunks).toString('utf8').trim() };
}
