import type { OnApplicationShutdown } from '@nestjs/common';
import { QueueConnections } from './queue-connections';

/** Closes the connections to Postgres that the queues share, after all that uses them; those to Redis BullMQ closes. */
export class QueueShutdown implements OnApplicationShutdown {
  constructor(private readonly connection: object) {}

  async onApplicationShutdown(): Promise<void> {
    if (this.connection instanceof QueueConnections) {
      await this.connection.end();
    }
  }
}
