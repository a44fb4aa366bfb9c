import type { Server } from 'node:http';
import type { INestApplicationContext } from '@nestjs/common';

const DRAIN_MS_MAX = 30_000;
const IDLE_SWEPT_EVERY_MS = 100;

/**
 * On SIGTERM or SIGINT: takes no new calls, lets those in flight finish, then closes the database, then exits.
 * Idle keep-alive connections are closed meanwhile, or a client that keeps one open would hold the process.
 * @param server null for a process that serves no calls
 */
export function shutDownOnSignals(
  application: INestApplicationContext,
  server: Server | null,
  stopDatabase: () => Promise<void>,
): void {
  const shutDown = async (): Promise<void> => {
    const idle = setInterval(() => server?.closeIdleConnections(), IDLE_SWEPT_EVERY_MS);
    const forced = setTimeout(() => server?.closeAllConnections(), DRAIN_MS_MAX);
    server?.close();
    try {
      await application.close();
    } finally {
      clearInterval(idle);
      clearTimeout(forced);
      await stopDatabase();
    }
  };
  // Whoever signals a group reaches the process twice, by npm and by itself: the second time must not cut the first short.
  let isShuttingDown = false;
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      if (isShuttingDown) {
        return;
      }
      isShuttingDown = true;
      shutDown().then(
        () => process.exit(0),
        (error: unknown) => {
          process.stderr.write(`the shutdown failed: ${String(error)}\n`);
          process.exit(1);
        },
      );
    });
  }
}
