import { FilesBusy } from '../file-errors';
import type { FileJobName, FileJobs } from '../file-jobs';
import { FILE_DEADLINE_MS } from '../file-limits';
import { FileProcess, type FileBounds, type FileUse } from './file-process';

export interface FileProcessesOptions extends FileBounds {
  /** How many files are worked on at once. */
  readonly processesMax: number;
  /** How many files may wait, and how many bytes they may have together. */
  readonly waitingMax: number;
  readonly waitingBytesMax: number;
  readonly waitMsMax: number;
  /** A process without work ends after so long. */
  readonly idleMs: number;
  /** A process that has grown to so much by itself is replaced by a new one, and so is one after so many files. */
  readonly wornBytes: number;
  readonly wornJobs: number;
  /** Is told what each file needed. */
  readonly used: (use: FileUse) => void;
}

const MEBIBYTE = 1024 * 1024;

/** A child that has loaded every library has 150 MB; it is killed 50 ms after it passed a bound at the latest. */
const DEFAULTS: FileProcessesOptions = {
  processesMax: 2,
  waitingMax: 32,
  waitingBytesMax: 96 * MEBIBYTE,
  waitMsMax: 15_000,
  deadlineMs: FILE_DEADLINE_MS,
  growthBytesMax: 250 * MEBIBYTE,
  residentBytesMax: 400 * MEBIBYTE,
  idleMs: 30_000,
  wornBytes: 200 * MEBIBYTE,
  wornJobs: 200,
  used: () => undefined,
};

/** A file that waits for a process. */
interface Waiting {
  readonly bytes: number;
  readonly take: () => void;
  readonly refuse: (error: Error) => void;
}

/** At most a few child processes, started when files come and ended when none do. */
export class FileProcesses {
  private readonly options: FileProcessesOptions;
  private readonly idle = new Map<FileProcess, NodeJS.Timeout>();
  private readonly working = new Set<FileProcess>();
  private readonly waiting = new Set<Waiting>();
  private taken = 0;
  private isClosed = false;

  constructor(options: Partial<FileProcessesOptions> = {}) {
    this.options = { ...DEFAULTS, ...options };
  }

  /**
   * Has a child process do a job with the bytes of a file.
   * @throws FilesBusy when too many files wait or this one waited too long, FileRefusals for the file's own faults, the
   *   signal's reason when it aborts
   */
  async run<Name extends FileJobName>(
    job: Name,
    parameters: FileJobs[Name]['parameters'],
    bytes: Uint8Array,
    signal?: AbortSignal,
  ): Promise<FileJobs[Name]['result']> {
    await this.turn(bytes.length, signal);
    const child = this.process();
    this.working.add(child);
    try {
      const announced = { job, parameters, sizeBytes: bytes.length };
      return (await child.run(announced, bytes, this.options.used, signal)) as FileJobs[Name]['result'];
    } finally {
      this.working.delete(child);
      await this.giveBack(child);
    }
  }

  /** Ends all processes; files that are worked on or wait are refused. */
  async close(): Promise<void> {
    this.isClosed = true;
    for (const waiting of this.waiting) {
      waiting.refuse(new FilesBusy());
    }
    this.idle.forEach((timer) => clearTimeout(timer));
    const all = [...this.idle.keys(), ...this.working];
    this.idle.clear();
    await Promise.all(all.map((child) => child.end()));
  }

  /** Waits until fewer than `processesMax` files are worked on. */
  private async turn(bytes: number, signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    const { processesMax, waitingMax, waitingBytesMax, waitMsMax } = this.options;
    if (this.isClosed) {
      throw new FilesBusy();
    }
    if (this.taken < processesMax) {
      this.taken += 1;
      return;
    }
    const waitingBytes = [...this.waiting].reduce((sum, each) => sum + each.bytes, 0);
    if (this.waiting.size >= waitingMax || waitingBytes + bytes > waitingBytesMax) {
      throw new FilesBusy();
    }
    await new Promise<void>((resolve, reject) => {
      const settle = (then: () => void) => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', abort);
        this.waiting.delete(waiting);
        then();
      };
      const waiting: Waiting = {
        bytes,
        take: () => settle(resolve),
        refuse: (error) => settle(() => reject(error)),
      };
      const abort = () => waiting.refuse(signal?.reason as Error);
      const timer = setTimeout(() => waiting.refuse(new FilesBusy()), waitMsMax);
      signal?.addEventListener('abort', abort, { once: true });
      this.waiting.add(waiting);
    });
  }

  /** An idle process, the one that worked last, or a new one. */
  private process(): FileProcess {
    for (const [child, timer] of [...this.idle].reverse()) {
      clearTimeout(timer);
      this.idle.delete(child);
      if (child.isAlive) {
        return child;
      }
    }
    return new FileProcess(this.options);
  }

  /** Keeps a process for the next file, unless it is worn, and gives the turn to the file that has waited longest. */
  private async giveBack(child: FileProcess): Promise<void> {
    const { wornBytes, wornJobs, idleMs } = this.options;
    const isWorn = child.jobsCount >= wornJobs || (child.residentBytes ?? 0) > wornBytes;
    if (!child.isAlive || isWorn || this.isClosed) {
      await child.end();
    } else {
      const timer = setTimeout(() => {
        this.idle.delete(child);
        void child.end();
      }, idleMs);
      this.idle.set(child, timer.unref());
    }
    const [next] = this.waiting;
    if (next) {
      next.take();
    } else {
      this.taken -= 1;
    }
  }
}
