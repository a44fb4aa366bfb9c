import { describeKilledDeliveries } from '../support/events/killed-deliveries';

describeKilledDeliveries('postgres');
