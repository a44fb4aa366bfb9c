import {
  createRedisBackend,
  PostgresConnection,
  PostgresQueueBackend,
  type BackendFactory,
  type ConnectionOptions,
  type IQueueBackend,
} from 'bullmq';
import { answeringInTime } from './answering-in-time';
import { QueueConnections } from './queue-connections';

/** A worker waits no longer for the news of a job before it looks for itself. */
const LISTENED_SECONDS_MAX = 5;
/** Redis says at least every ten seconds that there is no job. A connection that is silent for longer is renewed. */
const WORKER_SILENT_MS_MAX = 15_000;
const PRODUCER_SILENT_MS_MAX = 5_000;

/**
 * What BullMQ makes of every queue and worker of the process. The form of the connection decides, and not a setting of
 * the process, so that in tests services on both backends can live in one.
 */
export const queueBackend: BackendFactory<IQueueBackend, ConnectionOptions | QueueConnections> = (
  name,
  options,
  { blocking = false, withBlockingConnection = false } = {},
) => {
  const { connection } = options;
  const isProducer = !blocking && !withBlockingConnection;
  const made =
    connection instanceof QueueConnections
      ? new OwnPostgresBackend(new OwnPostgresConnection(connection), name, options as never)
      : createRedisBackend(
          name,
          { ...options, connection: { ...connection, ...redisOptions(isProducer) } as ConnectionOptions },
          { blocking, withBlockingConnection },
        );
  return isProducer ? answeringInTime(made) : made;
};

/**
 * Both try again for ever what was under way when the connection broke, for which BullMQ asks. What a producer begins
 * without a connection is refused at once; a worker's waits.
 */
function redisOptions(isProducer: boolean) {
  return {
    maxRetriesPerRequest: null,
    enableOfflineQueue: !isProducer,
    socketTimeout: isProducer ? PRODUCER_SILENT_MS_MAX : WORKER_SILENT_MS_MAX,
    retryStrategy: (attempt: number) => Math.min(50 * 2 ** Math.min(attempt, 10), 1_000),
  };
}

class OwnPostgresConnection extends PostgresConnection {
  /**
   * The start of the process has seen to the schema. BullMQ would check it at the first use, and take a failure of that
   * check, as when the database is just away, for its answer for ever.
   */
  override async waitUntilReady(): Promise<void> {}
}

class OwnPostgresBackend extends PostgresQueueBackend {
  /** BullMQ trusts a connection on which it listens for an hour. One that leads nowhere would hold up jobs for as long. */
  override get maximumBlockTimeout(): number {
    return LISTENED_SECONDS_MAX;
  }
}
