import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { FileRefusal, REFUSALS, type RefusalName } from '../file-errors';
import { loadJob } from './load-job';
import type { FromChild, JobAnnounced } from './messages';

// The main module of a child process. It works on one file at a time, which arrives on its standard input.

const GUARD_HEAP_MB_MAX = 8;

const [residentBytesMax = 'Infinity'] = process.argv.slice(2);
// The service ends its children itself, once the calls that wait for them have been answered.
process.on('SIGTERM', () => undefined).on('SIGINT', () => undefined);
process.on('disconnect', () => process.exit());
new Worker(join(__dirname, 'guard-thread.cjs'), {
  workerData: { parentId: process.ppid, residentBytesMax: Number(residentBytesMax) },
  resourceLimits: { maxOldGenerationSizeMb: GUARD_HEAP_MB_MAX },
}).unref();
process.on('message', (announced: JobAnnounced) => void work(announced));
tell({ type: 'ready' });

async function work(announced: JobAnnounced): Promise<void> {
  try {
    const job = loadJob(announced);
    const arriving = received(announced.sizeBytes);
    tell({ type: 'loaded' });
    const result = await job(await arriving);
    tell({ type: 'done', result });
  } catch (error) {
    tell(failureOf(error));
  }
}

function tell(message: FromChild): void {
  process.send?.(message);
}

/** The bytes of the file. */
function received(sizeBytes: number): Promise<Buffer> {
  const bytes = Buffer.allocUnsafeSlow(sizeBytes);
  if (sizeBytes === 0) {
    return Promise.resolve(bytes);
  }
  return new Promise((resolve) => {
    let length = 0;
    const onData = (chunk: Buffer) => {
      length += chunk.copy(bytes, length);
      if (length === sizeBytes) {
        process.stdin.off('data', onData).pause();
        resolve(bytes);
      }
    };
    process.stdin.on('data', onData).resume();
  });
}

function failureOf(error: unknown): FromChild {
  if (error instanceof FileRefusal && error.name in REFUSALS) {
    return { type: 'refused', refusal: error.name as RefusalName, message: error.message };
  }
  // What is nested too deeply for a library overflows its stack.
  if (error instanceof RangeError) {
    return {
      type: 'refused',
      refusal: 'FileTooComplex',
      message: 'The file is nested too deeply, or too large.',
    };
  }
  return { type: 'failed', error: error instanceof Error ? (error.stack ?? error.message) : String(error) };
}
