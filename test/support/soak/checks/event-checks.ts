import type { TestService } from '../../api/service';
import type { SoakReceiver } from '../soak-receiver';
import type { Check } from './check';

interface Delivery {
  event: string;
  webhook: string;
  account: string;
  status: string;
  attempts: number;
  /** Whether it is one of a webhook's tests, which are tried once (docs/webhooks.md). */
  is_test: boolean;
}

/** Every fact has its event, and every event reached all that subscribe. To be asked once nothing waits any more. */
export async function checkEvents(
  { database }: TestService,
  receiver: SoakReceiver,
  webhooks: ReadonlyMap<string, string>,
): Promise<Check[]> {
  const accounts = [...webhooks.keys()];
  const missing: { fact: string; id: string; events: number }[] = await database.query(FACTS_WITHOUT_EVENT, [
    accounts,
  ]);
  const events: { id: string }[] = await database.query('SELECT id FROM events');
  const deliveries: Delivery[] = await database.query(
    `SELECT event_id AS event, webhook_id AS webhook, account_id AS account, status, attempt_count AS attempts,
       attempts_max = 1 AS is_test FROM deliveries`,
  );
  const undelivered: { id: string }[] = await database.query(
    `SELECT id, event_type FROM events WHERE NOT EXISTS (SELECT FROM deliveries WHERE event_id = events.id)`,
  );
  const written = new Set(events.map(({ id }) => id));
  const unknown = accounts.flatMap((account) =>
    [...receiver.eventsOf(account)].filter((id) => !written.has(id)),
  );
  const failedTests = deliveries.filter(
    (delivery) => delivery.is_test && delivery.status === 'failed',
  ).length;
  const again = deliveries.filter(({ attempts }) => attempts > 1).length;
  return [
    {
      name: 'every fact has its event, once',
      figure: await factsFigure(database, accounts),
      faults: missing.map(({ fact, id, events: found }) => `${fact} ${id} has ${found} events`),
    },
    {
      name: 'every event has ended and was received',
      figure:
        `${events.length} events, ${deliveries.length} deliveries (${again} in more than one attempt), ` +
        `${receiver.count} received, ${receiver.refused} refused by the receiver at first; ` +
        `${failedTests} tests of webhooks failed, which are tried once`,
      faults: [
        ...undelivered.map(({ id }) => `event ${id} was delivered to nobody`),
        ...deliveries.flatMap((delivery) => faultsOf(delivery, receiver)),
        ...unknown.map((id) => `event ${id} was received and never written`),
      ],
    },
    {
      name: 'every delivery is signed with its secret',
      figure: `${receiver.count + receiver.refused} signatures`,
      faults: receiver.forged,
    },
  ];
}

/** How many events and deliveries are still on their way. */
export async function waitingDeliveries({ database }: TestService): Promise<number> {
  const [row]: { count: number }[] = await database.query(
    `SELECT (SELECT count(*) FROM events WHERE relayed_at IS NULL)::integer
      + (SELECT count(*) FROM deliveries WHERE stage <> 'over')::integer AS count`,
  );
  return row?.count ?? -1;
}

function faultsOf(delivery: Delivery, receiver: SoakReceiver): string[] {
  const { account, attempts, event, status } = delivery;
  if (delivery.is_test && status === 'failed' && attempts > 0) {
    return [];
  }
  const isReceived = receiver.eventsOf(account).has(event);
  return [
    ...(status === 'success' ? [] : [`the delivery of ${event} is ${status}`]),
    ...(isReceived ? [] : [`${event} was never received`]),
  ];
}

// What the subscribers did since they subscribe: all of it, because they were given their credit before.
const FACTS = `
  SELECT 'entry' AS fact, l.id::text AS id, 'balance.updated' AS type, 'transaction_id' AS member, l.account_id
  FROM ledger_entries AS l JOIN webhooks AS w USING (account_id) WHERE l.created_at > w.created_at
  UNION ALL
  SELECT 'payment', p.id::text, 'payment.created', 'payment_id', p.account_id FROM payments AS p
  UNION ALL
  SELECT 'confirmed payment', p.id::text, 'payment.confirmed', 'payment_id', p.account_id FROM payments AS p
  WHERE p.status = 'confirmed'
  UNION ALL
  SELECT 'revoked key', k.id::text, 'key.revoked', 'access_key_id', k.account_id FROM access_keys AS k WHERE NOT k.is_active`;

/** Events are joined by what their members hold, which a hash finds; comparing each fact with each event would take minutes. */
const FACTS_WITHOUT_EVENT = `
  WITH told AS MATERIALIZED (
    SELECT e.account_id, e.event_type, member.key, member.value
    FROM events AS e, jsonb_each_text(e.data::jsonb) AS member WHERE e.webhook_id IS NULL
  )
  SELECT f.fact, f.id, count(told.value)::integer AS events FROM (${FACTS}) AS f
  LEFT JOIN told ON told.account_id = f.account_id AND told.event_type = f.type AND told.key = f.member
    AND told.value = f.id
  WHERE f.account_id = ANY($1) GROUP BY f.fact, f.id, f.type HAVING count(told.value) <> 1`;

async function factsFigure(database: TestService['database'], accounts: string[]): Promise<string> {
  const found: { fact: string; count: string }[] = await database.query(
    `SELECT fact, count(*) FROM (${FACTS}) AS f WHERE account_id = ANY($1) GROUP BY fact ORDER BY fact`,
    [accounts],
  );
  return found.map(({ fact, count }) => `${fact} ${count}`).join(', ');
}
