import { describePaymentSchedule } from '../support/queue/payment-schedule-behaviour';

describePaymentSchedule('in Postgres', () => Promise.resolve({}));
