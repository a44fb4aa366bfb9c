import { type ChildProcess, spawn, type StdioOptions } from 'node:child_process';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import type { Account } from './server-account';

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

/** A command that cannot outlive this process. */
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

export interface GuardedPlace {
  cwd: string;
  env: NodeJS.ProcessEnv;
}

/**
 * Starts a command in a session of its own, so that signals to our process group do not reach it.
 *
 * @param command the program and its arguments.
 * @param account the user that runs it; undefined for the user of this process.
 * @param stdio the input, the output and the error output of the command.
 * @param place where it runs and what it finds in its environment.
 */
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
