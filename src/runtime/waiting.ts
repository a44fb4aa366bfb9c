/** The result of work that goes on when the signal aborts. @throws the signal's reason as soon as it aborts */
export async function untilAborted<Result>(work: Promise<Result>, signal?: AbortSignal): Promise<Result> {
  if (!signal) {
    return work;
  }
  const done = new AbortController();
  const aborted = new Promise<never>((_, reject) => {
    const refuse = () => reject(signal.reason as Error);
    signal.addEventListener('abort', refuse, { once: true, signal: done.signal });
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    done.abort();
  }
}

/** Resolves when the work has ended or the time is over, in which the work goes on. */
export async function endedWithin(timeoutMs: number, work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, timeoutMs)));
  try {
    await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
