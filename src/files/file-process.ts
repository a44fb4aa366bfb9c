import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { threadSource } from '../runtime/thread-source';
import { FileRefusal, FileTooComplex, REFUSALS } from './file-errors';
import type { FileJobName, FromChild, JobAnnounced } from './file-jobs';

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

export interface FileBounds {
  readonly deadlineMs: number;
  readonly growthBytesMax: number;
  readonly residentBytesMax: number;
}

/** Bytes are null where the system has no figure. */
export interface FileUse {
  readonly job: FileJobName;
  readonly tookMs: number;
  readonly startBytes: number | null;
  readonly peakBytes: number | null;
  readonly wasKilled: boolean;
}

/** Starting Node and loading a library; only a machine that hardly runs takes so long. */
const START_MS_MAX = 30_000;
/** Memory can be filled at about 2 GB/s: 40 MB between two looks. */
const WATCHED_EVERY_MS = 20;
const HEAP_MB_MAX = 256;
const YOUNG_HEAP_MB_MAX = 8;

export class FileProcess {
  private readonly child: ChildProcess;
  private readonly whenReady: Promise<void>;
  private jobs = 0;
  private isKilled = false;

  constructor(private readonly bounds: FileBounds) {
    const { filename, execArgv = [] } = threadSource(join(__dirname, 'file-worker'));
    this.child = fork(filename, [String(bounds.residentBytesMax)], {
      // The child holds no secrets: not those of the environment either.
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
    // A failure at work shows by the exit, and a child without work concerns nobody.
    this.child.on('error', () => undefined);
    this.child.stdin?.on('error', () => undefined);
    this.whenReady = this.next('ready', START_MS_MAX).then(() => undefined);
    this.whenReady.catch(() => undefined);
    this.hold(false);
  }

  get isAlive(): boolean {
    return !this.isKilled && this.child.exitCode === null && this.child.connected;
  }

  get jobsCount(): number {
    return this.jobs;
  }

  get residentBytes(): number | null {
    return this.child.pid === undefined ? null : residentBytesOf(this.child.pid);
  }

  /** @throws the FileRefusal of the child, FileTooComplex when it was killed, the signal's reason */
  async run(
    announced: JobAnnounced,
    bytes: Uint8Array,
    used: (use: FileUse) => void,
    signal?: AbortSignal,
  ): Promise<unknown> {
    this.jobs += 1;
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

  private next(type: FromChild['type'] | null, timeoutMs: number | null): Promise<FromChild> {
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
        const told = message as FromChild;
        if (type !== null && told.type !== type) {
          return fail(new Error(`a file process told: ${tellingOf(told)}`));
        }
        end();
        resolve(told);
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

function resultOf(told: FromChild): unknown {
  switch (told.type) {
    case 'done':
      return told.result;
    case 'refused':
      throw new REFUSALS[told.refusal](told.message);
    default:
      throw new Error(`a file process failed: ${tellingOf(told)}`);
  }
}

function tellingOf(told: FromChild): string {
  return told.type === 'failed' ? told.error : told.type;
}
