import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

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
