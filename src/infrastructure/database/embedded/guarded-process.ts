import { type ChildProcess, spawn, type StdioOptions } from 'node:child_process';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import type { Account } from './server-account';

/**
 * The shell leaves a guard behind and becomes the command. The guard waits on the pipe that only our process holds
 * open: a line means that all is over; the end of the pipe means that our process died, however that happened, and
 * the guard ends the command as endPostgres would. The guard is started by a child that ends at once, because
 * Postgres would take the end of a child it does not know for a crash. A zombie counts as ended, because the first
 * process of a container may collect it late or never.
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

/** A command that cannot outlive this process. */
export interface GuardedProcess {
  child: ChildProcess;
  isRunning: () => boolean;
  /** Resolves once the command and its guard are gone; rejects when the shell cannot be started. */
  gone: Promise<void>;
  /** Lets this process end although the command still runs. */
  unref: () => void;
  /** Takes unref back: whoever waits for the end must not end first, which Node does when nothing else holds it. */
  ref: () => void;
}

/**
 * Starts a command in a session of its own, out of reach of signals to our process group, with an environment
 * that holds none of the variables that change how Postgres behaves.
 *
 * @param command the program and its arguments.
 * @param account who to run it as; undefined for the user of this process.
 * @param stdio of the command: its input, output and error output.
 */
export function spawnGuarded(
  command: string[],
  account: Account | undefined,
  stdio: ['ignore' | 'pipe', 'pipe' | number, 'pipe' | number],
): GuardedProcess {
  const options: StdioOptions = [...stdio, 'pipe'];
  const child = spawn('/bin/sh', ['-c', PROGRAM, 'embedded-postgres-guard', ...command], {
    cwd: '/',
    detached: true,
    env: { PATH: '/usr/local/bin:/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' },
    stdio: options,
    ...account,
  });
  const leash = child.stdio[3] as Socket;
  // The guard may be gone before us; then nobody needs the line.
  leash.on('error', () => leash.destroy());
  leash.resume();
  child.once('exit', () => leash.end('over\n'));
  const gone = once(child, 'close').then(() => undefined);
  // Whoever waits for it sees the failure; nobody has to.
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
