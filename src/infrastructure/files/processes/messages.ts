import type { RefusalName } from '../file-errors';
import type { FileJobName } from '../file-jobs';

// What the service and its child processes tell each other. The bytes of a file go through the child's standard input.

/** From the service: the job that comes next. The child loads its code, which is not the file's time and memory. */
export interface JobAnnounced {
  readonly job: FileJobName;
  readonly parameters: unknown;
  /** How many bytes the file has. */
  readonly sizeBytes: number;
}

/** From the child: that it can be given work (`isReady`), that it wants the file, or how the job ended. */
export type FromChild =
  | { readonly type: 'ready' }
  | { readonly type: 'loaded' }
  | { readonly type: 'done'; readonly result: unknown }
  | { readonly type: 'refused'; readonly refusal: RefusalName; readonly message: string }
  | { readonly type: 'failed'; readonly error: string };
