import { type ChildProcess, execFileSync, spawn, type StdioOptions } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { Socket } from 'node:net';

export interface Account {
  uid: number;
  gid: number;
}

/** Whether a process runs, whoever owns it. A zombie, which has ended but still has its id, does not. */
export function isAlive(pid: number): boolean {
  return isTaken(pid) && !/^Z/.test(processState(pid));
}

/** Whether a process has this id, even if it is a zombie. Postgres itself checks no more than this. */
export function isTaken(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** The program and the arguments of a process, joined by spaces; empty when it has ended or we may not see it. */
export function commandLine(pid: number): string {
  if (process.platform !== 'linux') {
    return processStatus(pid, 'command=');
  }
  return processFile(pid, 'cmdline').replaceAll('\0', ' ').trim();
}

/** The state of a process. It begins with a letter, which proc(5) explains; Z stands for a zombie. */
function processState(pid: number): string {
  if (process.platform !== 'linux') {
    return processStatus(pid, 'stat=');
  }
  // The state follows the name of the program, which stands in brackets and may itself contain brackets and spaces.
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
 * The shell starts a guard in the background and then becomes the command. The guard reads from a pipe whose other end
 * only our process holds open. A line in the pipe means that the command has ended, so the guard ends too. The end of
 * the pipe means that our process has died, for whatever reason; then the guard ends the command with the signals and
 * times of endPostgres. The guard is started by a subshell that ends at once, so that it is no child of the command:
 * Postgres would take the end of a child that it does not know for a crash. A zombie counts as ended, because the
 * first process of a container may collect zombies late or never.
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
  /** Resolves once the command and its guard have ended; rejects when the shell cannot be started. */
  gone: Promise<void>;
  /** Lets this process end although the command still runs. */
  unref: () => void;
  /** Reverses `unref`: keeps this process running until the command has ended, for a caller that waits for it. */
  ref: () => void;
}

/** So that no variable of ours changes how Postgres behaves. */
const FIXED: GuardedPlace = {
  cwd: '/',
  env: { PATH: '/usr/local/bin:/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' },
};

interface GuardedPlace {
  cwd: string;
  env: NodeJS.ProcessEnv;
}

/** In a session of its own, so that signals to our process group do not reach it. Without `account`, by our own user. */
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
  // Writing fails when the guard has ended already, and then nobody needs the line.
  leash.on('error', () => leash.destroy());
  leash.resume();
  child.once('exit', () => leash.end('over\n'));
  const gone = once(child, 'close').then(() => undefined);
  // Callers that wait for `gone` get its error. Without this line it would end the process when no caller waits.
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

/** Runs a command to its end. If this process dies before, the command is ended too. Without a code a signal ended it. */
export async function runGuarded(
  command: string[],
  account: Account | undefined,
  input = '',
): Promise<{ exitCode: number | null; output: string }> {
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
