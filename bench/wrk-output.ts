import type { LoadResult } from './load';

/** How the line begins that our script writes when wrk is done. wrk's own text can't be used, because it is rounded. */
export const RESULT_MARK = 'RESULT ';

interface WrkFigures {
  calls: number;
  microseconds: number;
  p50Us: number;
  p99Us: number;
  /** Answers of 400 and above. */
  statuses: number;
  sockets: number;
}

/** What a run of wrk with our script showed. @throws Error when the output has no result or no call was answered */
export function readWrkOutput(output: string): LoadResult {
  const line = output.split('\n').find((text) => text.startsWith(RESULT_MARK));
  if (line === undefined) {
    throw new Error(`wrk gave no result: ${output}`);
  }
  const figures = JSON.parse(line.slice(RESULT_MARK.length)) as WrkFigures;
  if (figures.calls === 0) {
    throw new Error(`no call was answered: ${output}`);
  }
  return {
    calls: figures.calls,
    callsPerSecond: (figures.calls * 1e6) / figures.microseconds,
    p50Ms: figures.p50Us / 1000,
    p99Ms: figures.p99Us / 1000,
    failures: figures.statuses + figures.sockets,
  };
}
