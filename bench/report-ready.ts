// The server ends when the benchmark's process is gone, even while it still starts; nobody else would end it then.
process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));

/** Tells the benchmark where this server takes calls. */
export function reportReady(url: string): void {
  process.send?.(url);
}
