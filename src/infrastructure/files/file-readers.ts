import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { FileKind, ImageKind, WrittenKind } from './file-kinds';
import type { ChangedImage, ImageChange, ImageFacts } from './image-facts';
import { FileProcesses, type FileProcessesOptions } from './processes/file-processes';
import type { ReadFile } from './read-file';

/**
 * Reads, changes and writes files in child processes, each within 5 s and 300 MB. All methods throw a FileRefusal where
 * it is the file's fault, FilesBusy when too many files wait, and the signal's reason when it aborts.
 */
@Injectable()
export class FileReaders implements OnApplicationShutdown {
  private readonly processes: FileProcesses;

  constructor(options: Partial<FileProcessesOptions> = {}) {
    this.processes = new FileProcesses(options);
  }

  /** The text, the tables and the title of a file. An image has no text; of a scanned PDF the text is ''. */
  read(kind: FileKind, bytes: Uint8Array, signal?: AbortSignal): Promise<ReadFile> {
    return this.processes.run('read', { kind }, bytes, signal);
  }

  /** What can be told of a picture without looking at what it shows. */
  image(bytes: Uint8Array, kind: ImageKind, signal?: AbortSignal): Promise<ImageFacts> {
    return this.processes.run('imageFacts', { kind }, bytes, signal);
  }

  /** @throws ImpossibleImageChange where the crop or the size is of no use */
  changeImage(
    bytes: Uint8Array,
    kind: ImageKind,
    change: ImageChange,
    signal?: AbortSignal,
  ): Promise<ChangedImage> {
    return this.processes.run('changeImage', { kind, change }, bytes, signal);
  }

  /** @throws UnsupportedFile where a PDF would need letters that its fonts lack */
  write(kind: WrittenKind, markdown: string, signal?: AbortSignal): Promise<Uint8Array> {
    return this.processes.run('write', { kind }, Buffer.from(markdown, 'utf8'), signal);
  }

  /** Ends the child processes. The calls that wait for them have ended or were cut off by then. */
  async onApplicationShutdown(): Promise<void> {
    await this.processes.close();
  }
}
