import type { Server } from 'node:http';
import type { INestApplicationContext } from '@nestjs/common';

const DRAIN_MS_MAX = 30_000;
const IDLE_SWEPT_EVERY_MS = 100;

/**
 * On SIGTERM or SIGINT the process takes no new calls, lets those in flight finish, closes the database and exits. It
 * closes idle keep-alive connections meanwhile, because a client that keeps one open would keep the process from
 * ending.
 */
export function shutDownOnSignals(
  application: INestApplicationContext,
  server: Server,
  stopDatabase: () => Promise<void>,
): void {
  const shutDown = async (): Promise<void> => {
    const idle = setInterval(() => server.closeIdleConnections(), IDLE_SWEPT_EVERY_MS);
    const forced = setTimeout(() => server.closeAllConnections(), DRAIN_MS_MAX);
    server.close();
    try {
      await application.close();
    } finally {
      clearInterval(idle);
      clearTimeout(forced);
      await stopDatabase();
    }
  };
  // A signal to a whole process group arrives twice: directly, and again from npm, which passes it on. The second must
  // not cut short the shutdown that the first began.
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
