let latestMs = NaN;
let latestText = '';

/**
 * A time as `2026-01-15T12:00:00.000Z`. The last text is kept for calls in the same millisecond: making it is slow.
 */
export function isoText(time: Date): string {
  const ms = time.getTime();
  if (ms !== latestMs) {
    latestText = time.toISOString();
    latestMs = ms;
  }
  return latestText;
}
