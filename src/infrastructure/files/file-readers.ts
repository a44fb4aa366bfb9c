import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { isImageKind, type FileKind, type ImageKind, type WrittenKind } from './file-kinds';
import type { ChangedImage, ImageChange, ImageFacts } from './image-facts';
import { FileProcesses, type FileOrder, type FileProcessesOptions } from './processes/file-processes';
import type { ReadFile } from './read-file';

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
