import { existsSync, readdirSync, readFileSync } from 'node:fs';

/** Linux counts processor time for programs in hundredths of a second on every machine that Node runs on. */
const TICKS_PER_SECOND = 100;

/** What proc(5) says about a process. */
interface ProcessStat {
  parentPid: number;
  /** The processor time of all its threads. */
  ownTicks: number;
  /** The processor time of its children that have ended. */
  endedChildrenTicks: number;
}

/** Processor seconds that a process has used, all threads together; null where the system does not tell. */
export function cpuSeconds(pid: number): number | null {
  const stat = readStat(pid);
  return stat && stat.ownTicks / TICKS_PER_SECOND;
}

/** Processor seconds of a process and all its children, ended ones included; null where the system does not tell. */
export function cpuSecondsWithChildren(pid: number): number | null {
  const stat = readStat(pid);
  if (!stat) {
    return null;
  }
  const children = childrenOf(pid).map((child) => readStat(child)?.ownTicks ?? 0);
  const ticks = children.reduce((sum, own) => sum + own, stat.ownTicks + stat.endedChildrenTicks);
  return ticks / TICKS_PER_SECOND;
}

/** The children of a process that run now. */
export function childrenOf(pid: number): number[] {
  if (!existsSync('/proc/self/stat')) {
    return [];
  }
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((candidate) => readStat(candidate)?.parentPid === pid);
}

export function parentOf(pid: number): number | null {
  return readStat(pid)?.parentPid ?? null;
}

/** Memory that a process holds now, in MiB; null where the system does not tell. */
export function memoryMiB(pid: number): number | null {
  const match = /^VmRSS:\s+(\d+) kB$/m.exec(readText(`/proc/${pid}/status`));
  return match ? Number(match[1]) / 1024 : null;
}

function readStat(pid: number): ProcessStat | null {
  const text = readText(`/proc/${pid}/stat`);
  if (text === '') {
    return null;
  }
  // The program's name comes before these fields, in brackets, and may itself contain brackets and spaces.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const ticks = (number: number) => Number(fields[number - 3]);
  return {
    parentPid: ticks(4),
    ownTicks: ticks(14) + ticks(15),
    endedChildrenTicks: ticks(16) + ticks(17),
  };
}

/** Empty when the process has ended meanwhile, and on systems without /proc. */
function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
