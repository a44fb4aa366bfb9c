import { describeQueue } from '../../test/support/queue/queue-behaviour';

describeQueue('in Postgres', () => Promise.resolve({}));
