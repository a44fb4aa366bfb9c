export interface BatchBounds {
  /** How many rows one batch handles at most: so few that nobody waits long for their locks. */
  sizeMax: number;
  /** How many batches are run at most, so that a run ends even if rows are added as fast as they are handled. */
  batchesMax: number;
  /** Once it is aborted, no further batch is begun. Aborted when the process ends. */
  signal?: AbortSignal | undefined;
}

/**
 * Repeats a statement that handles at most `sizeMax` rows until it handles fewer, at most `batchesMax` times.
 * @param batch handles at most `sizeMax` rows and returns how many it has handled
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
