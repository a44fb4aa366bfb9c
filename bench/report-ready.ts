/** Tells the benchmark where this server takes calls, and ends with it: nobody else would end the server then. */
export function reportReady(url: string): void {
  process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
  process.send?.(url);
}
