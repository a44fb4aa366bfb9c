// The server ends with the benchmark, also while it starts: nobody else would end it then.
process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));

/** Tells the benchmark where this server takes calls. */
export function reportReady(url: string): void {
  process.send?.(url);
}
