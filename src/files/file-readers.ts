import { Global, Injectable, Module, type OnApplicationShutdown } from '@nestjs/common';
import { AccountTurns } from '../runtime/fair-concurrency-limit';
import { FilesBusy } from './file-errors';
import type { ChangedImage, FileJobName, FileJobs, ImageChange, ImageFacts, ReadFile } from './file-jobs';
import { type FileKind, type ImageKind, isImageKind, type WrittenKind } from './file-kinds';
import { FILE_DEADLINE_MS } from './file-limits';
import { type FileBounds, FileProcess, type FileUse } from './file-process';

interface FileProcessesOptions extends FileBounds {
  /** How many files are worked on at once, and how many of them of one account. */
  readonly processesMax: number;
  readonly accountProcessesMax: number;
  /** How many files may wait, and how many of them of one account. */
  readonly waitingMax: number;
  readonly accountWaitingMax: number;
  /** How many bytes those may have together, and those of one account. */
  readonly waitingBytesMax: number;
  readonly accountWaitingBytesMax: number;
  readonly waitMsMax: number;
  /** A process without work ends after so long. */
  readonly idleMs: number;
  /** A process that has grown to so much by itself is replaced by a new one, and so is one after so many files. */
  readonly wornBytes: number;
  readonly wornJobs: number;
  /** Is told what each file needed. */
  readonly used: (use: FileUse) => void;
}

/** Whose file it is, and what ends the work on it; absent where nobody does. */
export interface FileOrder {
  readonly accountId: string;
  readonly signal?: AbortSignal;
}

const MEBIBYTE = 1024 * 1024;

/**
 * A child that has loaded every library has 150 MB; it is killed 50 ms after it passed a bound at the latest. One account's
 * files leave a process to others. Those who wait hold their bytes anyway, within the bounds for documents and inputs.
 */
const DEFAULTS: FileProcessesOptions = {
  processesMax: 2,
  accountProcessesMax: 1,
  waitingMax: 64,
  accountWaitingMax: 8,
  waitingBytesMax: 128 * MEBIBYTE,
  accountWaitingBytesMax: 32 * MEBIBYTE,
  waitMsMax: 15_000,
  deadlineMs: FILE_DEADLINE_MS,
  growthBytesMax: 250 * MEBIBYTE,
  residentBytesMax: 400 * MEBIBYTE,
  idleMs: 30_000,
  wornBytes: 200 * MEBIBYTE,
  wornJobs: 200,
  used: () => undefined,
};

/** At most a few child processes, started when files come and ended when none do. Accounts have them in turns. */
export class FileProcesses {
  private readonly options: FileProcessesOptions;
  private readonly idle = new Map<FileProcess, NodeJS.Timeout>();
  private readonly working = new Set<FileProcess>();
  private readonly turns: AccountTurns;
  private isClosed = false;

  constructor(options: Partial<FileProcessesOptions> = {}) {
    this.options = { ...DEFAULTS, ...options };
    const { processesMax, accountProcessesMax } = this.options;
    this.turns = new AccountTurns(
      { ...this.options, atOnceMax: processesMax, accountAtOnceMax: accountProcessesMax },
      () => new FilesBusy(),
    );
  }

  /**
   * Has a child process do a job with the bytes of a file.
   * @throws FilesBusy when too many files wait, of the account or of all, or this one waited too long; FileRefusals for the
   *   file's own faults; the signal's reason when it aborts; what Node throws when it can't start a process
   */
  async run<Name extends FileJobName>(
    job: Name,
    parameters: FileJobs[Name]['parameters'],
    bytes: Uint8Array,
    { accountId, signal }: FileOrder,
  ): Promise<FileJobs[Name]['result']> {
    return this.turns.within(accountId, () => this.work(job, parameters, bytes, signal), {
      bytes: bytes.length,
      signal,
    });
  }

  /** Ends all processes; files that are worked on or wait are refused. */
  async close(): Promise<void> {
    this.isClosed = true;
    this.turns.close();
    this.idle.forEach((timer) => clearTimeout(timer));
    const all = [...this.idle.keys(), ...this.working];
    this.idle.clear();
    await Promise.all(all.map((child) => child.end()));
  }

  private async work<Name extends FileJobName>(
    job: Name,
    parameters: FileJobs[Name]['parameters'],
    bytes: Uint8Array,
    signal?: AbortSignal,
  ): Promise<FileJobs[Name]['result']> {
    const child = this.process();
    this.working.add(child);
    try {
      const announced = { job, parameters, sizeBytes: bytes.length };
      return (await child.run(announced, bytes, this.options.used, signal)) as FileJobs[Name]['result'];
    } finally {
      this.working.delete(child);
      await this.keep(child);
    }
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

  /** Keeps a process for the next file, unless it is worn. */
  private async keep(child: FileProcess): Promise<void> {
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
  }
}

/** Changing a picture takes a core and 250 MiB for itself. */
const PICTURE_PROCESSES_MAX = 1;

/**
 * Reads, changes and writes files in child processes, each within 5 s and 300 MB. Pictures have processes of their own, so that
 * they and documents never wait for each other. All methods throw a FileRefusal where
 * it is the file's fault, FilesBusy when too many files wait, of the account or of all, and the signal's reason when it aborts.
 */
@Injectable()
export class FileReaders implements OnApplicationShutdown {
  private readonly processes: FileProcesses;
  private readonly pictures: FileProcesses;

  constructor(options: Partial<FileProcessesOptions> = {}) {
    this.processes = new FileProcesses(options);
    this.pictures = new FileProcesses({ processesMax: PICTURE_PROCESSES_MAX, ...options });
  }

  /** The text, the tables and the title of a file. An image has no text; of a scanned PDF the text is ''. */
  read(kind: FileKind, bytes: Uint8Array, order: FileOrder): Promise<ReadFile> {
    const processes = isImageKind(kind) ? this.pictures : this.processes;
    return processes.run('read', { kind }, bytes, order);
  }

  /** What can be told of a picture without looking at what it shows. */
  image(bytes: Uint8Array, kind: ImageKind, order: FileOrder): Promise<ImageFacts> {
    return this.pictures.run('imageFacts', { kind }, bytes, order);
  }

  /** @throws ImpossibleImageChange where the crop or the size is of no use */
  changeImage(
    bytes: Uint8Array,
    kind: ImageKind,
    change: ImageChange,
    order: FileOrder,
  ): Promise<ChangedImage> {
    return this.pictures.run('changeImage', { kind, change }, bytes, order);
  }

  /** @throws UnsupportedFile where a PDF would need letters that its fonts lack */
  write(kind: WrittenKind, markdown: string, order: FileOrder): Promise<Uint8Array> {
    return this.processes.run('write', { kind, isPlain: false }, Buffer.from(markdown, 'utf8'), order);
  }

  /** Writes a text in which nothing is a mark, as `write` does Markdown. */
  writePlain(kind: WrittenKind, text: string, order: FileOrder): Promise<Uint8Array> {
    return this.processes.run('write', { kind, isPlain: true }, Buffer.from(text, 'utf8'), order);
  }

  /** Ends the child processes. The calls that wait for them have ended or were cut off by then. */
  async onApplicationShutdown(): Promise<void> {
    await Promise.all([this.processes.close(), this.pictures.close()]);
  }
}

/** Provides the whole application with what reads and writes files. No process starts before the first file comes. */
@Global()
@Module({
  providers: [{ provide: FileReaders, useFactory: () => new FileReaders() }],
  exports: [FileReaders],
})
export class FilesModule {}
