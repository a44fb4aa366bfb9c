import { describeDeliveries } from '../../../test/support/events/delivery-behaviour';

describeDeliveries('in Postgres', () => Promise.resolve({}));
