import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';

/** Every running process with its command line. One that ended and awaits collection has none and is left out. */
export function runningProcesses(): { pid: number; command: string }[] {
  const processes = existsSync('/proc/self/cmdline') ? fromProc() : fromPs();
  return processes.filter(({ command }) => command !== '');
}

function fromProc(): { pid: number; command: string }[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pids.map((pid) => ({ pid: Number(pid), command: commandOf(pid) }));
}

function commandOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
  } catch {
    // It ended between the two looks.
    return '';
  }
}

function fromPs(): { pid: number; command: string }[] {
  const lines = execFileSync('ps', ['-axww', '-o', 'pid=,command='], { encoding: 'utf8' }).trim().split('\n');
  return lines.map((line) => {
    const [, pid, command = ''] = /^\s*(\d+)\s+(.*)$/.exec(line) ?? [];
    return { pid: Number(pid), command };
  });
}
