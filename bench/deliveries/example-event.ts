import { randomUUID } from 'node:crypto';

/** What every event that is sent is like: one of a charge, of the length that it has there. */
export const EXAMPLE_TYPE = 'balance.updated';
export const EXAMPLE_DATA = {
  user_id: randomUUID(),
  previous_balance: 10,
  new_balance: 9.99734,
  change: -0.00266,
  reason: 'charge',
  reference_id: randomUUID(),
  transaction_id: randomUUID(),
  ledger_position: 4711,
  metadata: { route: '/v1/chat/completions', method: 'POST' },
};
