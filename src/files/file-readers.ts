import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { Global, Injectable, Module, type OnApplicationShutdown } from '@nestjs/common';
import { type ConcurrencyBounds, FairConcurrencyLimit } from '../runtime/concurrency-limit';
import { threadSource } from '../runtime/thread-source';
import { FileRefusal, FilesBusy, FileTooComplex, REFUSALS } from './file-errors';
import type {
  ChangedImage,
  FileJobName,
  FileJobs,
  ChildMessage,
  ImageChange,
  ImageFacts,
  JobAnnounced,
  ReadFile,
} from './file-jobs';
import { FILE_DEADLINE_MS } from './file-limits';
import { type FileKind, type ImageKind, isImageKind, type WrittenKind } from './sniff-file-kind';

const PAGE_BYTES = 4096;

/** In bytes, native memory included; null for an ended process and systems without /proc. Takes 10 µs. */
function residentBytesOf(pid: number): number | null {
  try {
    const pages = Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1]);
    return Number.isFinite(pages) ? pages * PAGE_BYTES : null;
  } catch {
    return null;
  }
}

interface FileBounds {
  readonly deadlineMs: number;
  readonly growthBytesMax: number;
  readonly residentBytesMax: number;
}

export interface FileUse {
  readonly job: FileJobName;
  readonly tookMs: number;
  readonly startBytes: number | null;
  readonly peakBytes: number | null;
  readonly wasKilled: boolean;
}

/** Starting Node and loading a library; only a nearly stalled machine takes longer. */
const START_MS_MAX = 30_000;
/** Memory can be filled at about 2 GB/s: 40 MB between two checks. */
const WATCHED_EVERY_MS = 20;
const HEAP_MB_MAX = 256;
const YOUNG_HEAP_MB_MAX = 8;

class FileProcess {
  private readonly child: ChildProcess;
  private readonly whenReady: Promise<void>;
  jobsCount = 0;
  private isKilled = false;

  constructor(private readonly bounds: FileBounds) {
    const { filename, execArgv = [] } = threadSource(join(__dirname, 'file-worker'));
    this.child = fork(filename, [String(bounds.residentBytesMax)], {
      // The child holds no secrets, not even those of the environment.
      env: {},
      execArgv: [
        ...execArgv,
        `--max-old-space-size=${HEAP_MB_MAX}`,
        `--max-semi-space-size=${YOUNG_HEAP_MB_MAX}`,
        '--no-warnings',
      ],
      serialization: 'advanced',
      stdio: ['pipe', 'ignore', 'ignore', 'ipc'],
    });
    // A failure at work shows by the exit; an idle child's failure does not matter.
    this.child.on('error', () => undefined);
    this.child.stdin?.on('error', () => undefined);
    this.whenReady = this.next('ready', START_MS_MAX).then(() => undefined);
    this.whenReady.catch(() => undefined);
    this.hold(false);
  }

  get isAlive(): boolean {
    return !this.isKilled && this.child.exitCode === null && this.child.connected;
  }

  get residentBytes(): number | null {
    return this.child.pid === undefined ? null : residentBytesOf(this.child.pid);
  }

  async run(
    announced: JobAnnounced,
    bytes: Uint8Array,
    used: (use: FileUse) => void,
    signal?: AbortSignal,
  ): Promise<unknown> {
    this.jobsCount += 1;
    this.hold(true);
    const abort = () => this.kill();
    signal?.addEventListener('abort', abort, { once: true });
    try {
      signal?.throwIfAborted();
      await this.whenReady;
      const loaded = this.next('loaded', START_MS_MAX);
      this.child.send(announced);
      await loaded;
      const watch = this.watch(announced.job);
      const ended = this.next(null, null);
      this.child.stdin?.write(bytes);
      try {
        return resultOf(await ended);
      } catch (error) {
        throw watch.reason() ?? error;
      } finally {
        used(watch.stop());
      }
    } catch (error) {
      // After anything but a refusal the child's state is unknown.
      if (!(error instanceof FileRefusal)) {
        this.kill();
      }
      signal?.throwIfAborted();
      throw error;
    } finally {
      signal?.removeEventListener('abort', abort);
      this.hold(false);
    }
  }

  kill(): void {
    this.isKilled = true;
    this.child.kill('SIGKILL');
  }

  async end(): Promise<void> {
    if (this.child.exitCode === null && this.child.signalCode === null && this.child.pid !== undefined) {
      // A process with nothing else to do would end before its child has.
      this.child.ref();
      const exited = once(this.child, 'exit');
      this.kill();
      await exited;
    }
  }

  private watch(job: FileJobName): { reason: () => Error | null; stop: () => FileUse } {
    const startedMs = performance.now();
    const startBytes = this.residentBytes;
    const { deadlineMs, growthBytesMax, residentBytesMax } = this.bounds;
    const bytesMax = Math.min(residentBytesMax, (startBytes ?? 0) + growthBytesMax);
    let peakBytes = startBytes;
    let reason: Error | null = null;
    const killBecause = (message: string) => {
      reason ??= new FileTooComplex(message);
      this.kill();
    };
    const look = () => {
      const bytes = this.residentBytes;
      peakBytes = bytes === null ? peakBytes : Math.max(bytes, peakBytes ?? 0);
      if (bytes !== null && bytes > bytesMax) {
        killBecause('The file needs too much memory to be read.');
      }
    };
    const looking = setInterval(look, WATCHED_EVERY_MS);
    const deadline = setTimeout(() => killBecause('The file takes too long to be read.'), deadlineMs);
    return {
      reason: () => reason,
      stop: () => {
        clearInterval(looking);
        clearTimeout(deadline);
        const tookMs = performance.now() - startedMs;
        return { job, tookMs, startBytes, peakBytes, wasKilled: !this.isAlive };
      },
    };
  }

  private next(type: ChildMessage['type'] | null, timeoutMs: number | null): Promise<ChildMessage> {
    return new Promise((resolve, reject) => {
      const end = () => {
        clearTimeout(timer);
        this.child.off('message', onMessage).off('exit', onExit).off('error', fail);
      };
      const fail = (error: Error) => {
        end();
        reject(error);
      };
      const onMessage = (message: unknown) => {
        const answer = message as ChildMessage;
        if (type !== null && answer.type !== type) {
          return fail(new Error(`a file process sent: ${describe(answer)}`));
        }
        end();
        resolve(answer);
      };
      const onExit = () =>
        fail(
          type === null
            ? new FileTooComplex('The file cannot be read with the memory that there is for it.')
            : new Error('a file process ended before it began'),
        );
      const late = () => fail(new Error('a file process did not start in time'));
      const timer = timeoutMs === null ? undefined : setTimeout(late, timeoutMs);
      this.child.on('message', onMessage).on('exit', onExit).on('error', fail);
    });
  }

  private hold(isHeld: boolean): void {
    const handles = [this.child, this.child.channel, this.child.stdin as Socket | null];
    handles.forEach((handle) => (isHeld ? handle?.ref() : handle?.unref()));
  }
}

function resultOf(message: ChildMessage): unknown {
  switch (message.type) {
    case 'done':
      return message.result;
    case 'refused':
      throw new REFUSALS[message.refusal](message.message);
    default:
      throw new Error(`a file process failed: ${describe(message)}`);
  }
}

function describe(message: ChildMessage): string {
  return message.type === 'failed' ? message.error : message.type;
}

interface FileProcessesOptions extends FileBounds, ConcurrencyBounds {
  readonly idleMs: number;
  /** A process of this size, or after this many files, is replaced. */
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

  /** @throws FilesBusy when too many wait or this one too long, FileRefusals, the signal's reason, Node's errors */
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

/** Each job within 5 s and 300 MB. Pictures have their own processes. @throws FileRefusals, the signal's reason */
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
