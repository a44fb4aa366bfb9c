import { createHash } from 'node:crypto';
import { type FileHandle, lstat, mkdir, mkdtemp, open, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { performance } from 'node:perf_hooks';
import type { Readable } from 'node:stream';
import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { newId } from '../runtime/ids';

const PREFIX = 'service-uploads-';
/** Per process: with 25 MiB each, 400 MiB of disk. */
export const FILES_MAX = 16;
/** So that a slow sender leaves room for others. */
export const FILES_OF_OWNER_MAX = 10;

interface TemporaryFile {
  readonly path: string;
  readonly handle: FileHandle;
}

/**
 * In a folder of its own in TMPDIR, because whoever had made a shared one first would keep the service out. Each start
 * removes killed processes' leftovers.
 */
@Injectable()
export class TemporaryFiles implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger('TemporaryFiles');
  private readonly owners = new Map<string, string | null>();
  private folder: Promise<string> | null = null;

  constructor(private readonly root = tmpdir()) {}

  get count(): number {
    return this.owners.size;
  }

  async create(owner: string | null): Promise<TemporaryFile | null> {
    const ofOwner = owner === null ? 0 : [...this.owners.values()].filter((other) => other === owner).length;
    if (this.count >= FILES_MAX || ofOwner >= FILES_OF_OWNER_MAX) {
      return null;
    }
    const name = newId();
    this.owners.set(name, owner);
    try {
      this.folder ??= this.makeFolder();
      const path = join(await this.folder, name);
      return { path, handle: await open(path, 'wx', 0o600) };
    } catch (error) {
      this.owners.delete(name);
      // Somebody may have emptied the folder for temporary files.
      this.folder = null;
      throw error;
    }
  }

  async remove(path: string): Promise<void> {
    if (!this.owners.has(basename(path))) {
      return;
    }
    try {
      await rm(path, { force: true });
    } catch (error) {
      this.logger.error({ message: 'a temporary file is left behind', error: String(error) });
    } finally {
      this.owners.delete(basename(path));
    }
  }

  async onApplicationBootstrap(): Promise<void> {
    await this.sweep();
  }

  async onApplicationShutdown(): Promise<void> {
    const folder = await this.folder?.catch(() => null);
    this.folder = null;
    if (folder) {
      await rm(folder, { recursive: true, force: true });
    }
  }

  private async makeFolder(): Promise<string> {
    await mkdir(this.root, { recursive: true, mode: 0o700 });
    return mkdtemp(join(this.root, `${PREFIX}${process.pid}-`));
  }

  async sweep(): Promise<void> {
    const names = await readdir(this.root).catch(() => []);
    for (const name of names) {
      const path = join(this.root, name);
      if (await isLeftBehind(name, path)) {
        await rm(path, { recursive: true, force: true }).catch((error: unknown) =>
          this.logger.warn({ message: 'temporary files of a dead process are left', error: String(error) }),
        );
      }
    }
  }
}

/** In a container processes share an id, but an earlier one's folder is older than this process. */
async function isLeftBehind(name: string, path: string): Promise<boolean> {
  const pid = name.startsWith(PREFIX) ? Number(/^(\d+)-/.exec(name.slice(PREFIX.length))?.[1]) : 0;
  if (!Number.isSafeInteger(pid) || pid < 1) {
    return false;
  }
  const facts = await lstat(path).catch(() => null);
  if (facts === null || facts.uid !== process.getuid?.()) {
    return false;
  }
  if (pid === process.pid) {
    return facts.ctimeMs < performance.timeOrigin && facts.mtimeMs < performance.timeOrigin;
  }
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}

const HEAD_BYTES_MAX = 64 * 1024;

export interface UploadedFile {
  readonly path: string;
  /** As the caller wrote it: anything. */
  readonly name: string;
  readonly sizeBytes: number;
  /** SHA-256, hexadecimal. */
  readonly checksum: string;
  readonly head: Buffer;
}

export async function storeFile(
  source: Readable,
  name: string,
  { path, handle }: TemporaryFile,
): Promise<UploadedFile> {
  const hash = createHash('sha256');
  const heads: Buffer[] = [];
  let sizeBytes = 0;
  try {
    for await (const piece of source as AsyncIterable<Buffer>) {
      hash.update(piece);
      if (sizeBytes < HEAD_BYTES_MAX) {
        heads.push(Buffer.from(piece.subarray(0, HEAD_BYTES_MAX - sizeBytes)));
      }
      sizeBytes += piece.length;
      await handle.writeFile(piece);
    }
  } finally {
    await handle.close();
  }
  return { path, name, sizeBytes, checksum: hash.digest('hex'), head: Buffer.concat(heads) };
}
