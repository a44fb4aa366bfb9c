export interface BatchBounds {
  /** So few rows that nobody has to wait long for their locks. */
  sizeMax: number;
  /** Keeps one run from lasting for ever while rows are added as fast as they are handled. */
  batchesMax: number;
  /** Aborted when the process ends: no further batch is begun. */
  signal?: AbortSignal | undefined;
}

/**
 * Repeats a statement that handles at most `sizeMax` rows until it handles fewer, at most `batchesMax` times.
 * @param batch handles at most so many rows and returns how many it did
 * @returns how many rows were handled in all
 * @throws whatever the statement throws; the batches before it stay done
 */
export async function inBatches(
  { sizeMax, batchesMax, signal }: BatchBounds,
  batch: (sizeMax: number) => Promise<number>,
): Promise<number> {
  let handled = 0;
  for (let batches = 0; batches < batchesMax && !signal?.aborted; batches += 1) {
    const count = await batch(sizeMax);
    handled += count;
    if (count < sizeMax) {
      break;
    }
  }
  return handled;
}
