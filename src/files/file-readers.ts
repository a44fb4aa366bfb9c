import { Global, Injectable, Module, type OnApplicationShutdown } from '@nestjs/common';
import { type ConcurrencyBounds, FairConcurrencyLimit } from '../runtime/concurrency-limit';
import { FilesBusy } from './file-errors';
import type { ChangedImage, FileJobName, FileJobs, ImageChange, ImageFacts, ReadFile } from './file-jobs';
import { type FileKind, type ImageKind, isImageKind, type WrittenKind } from './sniff-file-kind';
import { FILE_DEADLINE_MS } from './file-limits';
import { type FileBounds, FileProcess, type FileUse } from './file-process';

/** A process works on one file at once. */
interface FileProcessesOptions extends FileBounds, ConcurrencyBounds {
  readonly idleMs: number;
  /** A process of this size, or after so many files, is replaced. */
  readonly wornBytes: number;
  readonly wornJobs: number;
  readonly used: (use: FileUse) => void;
}

export interface FileOrder {
  readonly accountId: string;
  readonly signal?: AbortSignal;
}

const MEBIBYTE = 1024 * 1024;

/** A child with every library has 150 MB. One account's files leave a process to others. */
const DEFAULTS: FileProcessesOptions = {
  atOnceMax: 2,
  accountAtOnceMax: 1,
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

export class FileProcesses {
  private readonly options: FileProcessesOptions;
  private readonly idle = new Map<FileProcess, NodeJS.Timeout>();
  private readonly working = new Set<FileProcess>();
  private readonly turns: FairConcurrencyLimit;
  private isClosed = false;

  constructor(options: Partial<FileProcessesOptions> = {}) {
    this.options = { ...DEFAULTS, ...options };
    this.turns = new FairConcurrencyLimit(this.options, () => new FilesBusy());
  }

  /**
   * @throws FilesBusy when too many files wait or this one too long, FileRefusals, the signal's reason, Node's errors
   */
  async run<Name extends FileJobName>(
    job: Name,
    parameters: FileJobs[Name]['parameters'],
    bytes: Uint8Array,
    { accountId, signal }: FileOrder,
  ): Promise<FileJobs[Name]['result']> {
    const work = async () => {
      const child = this.process();
      this.working.add(child);
      try {
        const announced = { job, parameters, sizeBytes: bytes.length };
        return (await child.run(announced, bytes, this.options.used, signal)) as FileJobs[Name]['result'];
      } finally {
        this.working.delete(child);
        await this.keep(child);
      }
    };
    return this.turns.within(accountId, work, { bytes: bytes.length, signal });
  }

  async close(): Promise<void> {
    this.isClosed = true;
    this.turns.close();
    this.idle.forEach((timer) => clearTimeout(timer));
    const all = [...this.idle.keys(), ...this.working];
    this.idle.clear();
    await Promise.all(all.map((child) => child.end()));
  }

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

/** Changing a picture takes a core and 250 MiB. */
const PICTURE_PROCESSES_MAX = 1;

/** Each job within 5 s and 300 MB. Pictures have processes of their own. @throws FileRefusals, the signal's reason */
@Injectable()
export class FileReaders implements OnApplicationShutdown {
  private readonly processes: FileProcesses;
  private readonly pictures: FileProcesses;

  constructor(options: Partial<FileProcessesOptions> = {}) {
    this.processes = new FileProcesses(options);
    this.pictures = new FileProcesses({ atOnceMax: PICTURE_PROCESSES_MAX, ...options });
  }

  /** An image and a scanned PDF have the text ''. */
  read(kind: FileKind, bytes: Uint8Array, order: FileOrder): Promise<ReadFile> {
    const processes = isImageKind(kind) ? this.pictures : this.processes;
    return processes.run('read', { kind }, bytes, order);
  }

  image(bytes: Uint8Array, kind: ImageKind, order: FileOrder): Promise<ImageFacts> {
    return this.pictures.run('imageFacts', { kind }, bytes, order);
  }

  /** @throws ImpossibleImageChange for a useless crop or size */
  changeImage(
    bytes: Uint8Array,
    kind: ImageKind,
    change: ImageChange,
    order: FileOrder,
  ): Promise<ChangedImage> {
    return this.pictures.run('changeImage', { kind, change }, bytes, order);
  }

  /** @throws UnsupportedFile for letters that a PDF's fonts lack */
  write(kind: WrittenKind, markdown: string, order: FileOrder): Promise<Uint8Array> {
    return this.processes.run('write', { kind, isPlain: false }, Buffer.from(markdown, 'utf8'), order);
  }

  writePlain(kind: WrittenKind, text: string, order: FileOrder): Promise<Uint8Array> {
    return this.processes.run('write', { kind, isPlain: true }, Buffer.from(text, 'utf8'), order);
  }

  /** The calls that wait for the child processes have ended or were cut off by then. */
  async onApplicationShutdown(): Promise<void> {
    await Promise.all([this.processes.close(), this.pictures.close()]);
  }
}

@Global()
@Module({
  providers: [{ provide: FileReaders, useFactory: () => new FileReaders() }],
  exports: [FileReaders],
})
export class FilesModule {}
