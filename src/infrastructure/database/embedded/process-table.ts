import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** Whether this process runs, whoever owns it. One that ended but was not collected yet does not. */
export function isAlive(pid: number): boolean {
  return isTaken(pid) && !/^Z/.test(processState(pid));
}

/** Whether the system has given out this process id: all that Postgres itself looks at. */
export function isTaken(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** The program and arguments of a process, joined by spaces; empty when it has ended or is hidden from us. */
export function commandLine(pid: number): string {
  if (process.platform !== 'linux') {
    return processStatus(pid, 'command=');
  }
  return processFile(pid, 'cmdline').replaceAll('\0', ' ').trim();
}

/** One letter, see proc(5): Z for a process that has ended. */
function processState(pid: number): string {
  if (process.platform !== 'linux') {
    return processStatus(pid, 'stat=');
  }
  // The name of the program before it is in brackets and may itself contain brackets and spaces.
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
