-- One round of the fan-out: takes waiting events, makes one delivery of each for every active webhook of its account
-- that subscribes to its type, and marks them relayed. The accounts that have waiting events are found by hopping along
-- the index, and each gives its oldest, at most p_events_per_account_max divided by its active webhooks: one with very
-- many waits for the next round like the others, and a round that timed out would be begun again for ever. A test has
-- its delivery already (webhook_id) and is only marked.
--
-- p_after is the account that the last round ended with, or null to begin with the first. At most p_accounts_max
-- accounts are looked at.
--
-- Locks the events that it takes; relays that run at once take different ones. Locks the webhooks against removal.
--
-- Returns how many events were taken and deliveries made, the account to go on after (null when there was none after
-- those looked at), and whether an account may have more.
CREATE OR REPLACE FUNCTION events_fan_out(
  p_after uuid,
  p_accounts_max integer,
  p_events_per_account_max integer,
  p_now timestamptz,
  OUT events_taken integer,
  OUT deliveries_made integer,
  OUT last_account uuid,
  OUT is_more boolean
) LANGUAGE plpgsql AS $$
DECLARE
  v_accounts uuid[];
BEGIN
  WITH RECURSIVE accounts AS (
    (SELECT account_id, 1 AS place FROM events
      WHERE relayed_at IS NULL AND account_id > coalesce(p_after, '00000000-0000-0000-0000-000000000000')
      ORDER BY account_id LIMIT 1)
    UNION ALL
    SELECT following.account_id, a.place + 1 FROM accounts a CROSS JOIN LATERAL (
      SELECT e.account_id FROM events e WHERE e.relayed_at IS NULL AND e.account_id > a.account_id
      ORDER BY e.account_id LIMIT 1
    ) AS following WHERE a.place < p_accounts_max
  )
  SELECT array_agg(account_id ORDER BY place) INTO v_accounts FROM accounts;

  WITH giving AS MATERIALIZED (
    SELECT account, greatest(1, p_events_per_account_max / greatest(1,
      (SELECT count(*) FROM webhooks WHERE account_id = account AND is_active))) AS events_max
    FROM unnest(v_accounts) AS account
  ), taken AS (
    SELECT waiting.id, events_max FROM giving CROSS JOIN LATERAL (
      SELECT id FROM events WHERE account_id = account AND relayed_at IS NULL
      ORDER BY position LIMIT events_max FOR UPDATE SKIP LOCKED
    ) AS waiting
  ), relayed AS (
    UPDATE events e SET relayed_at = p_now FROM taken WHERE e.id = taken.id
    RETURNING e.id, e.position, e.account_id, e.event_type, e.webhook_id, e.occurred_at, events_max
  ), wanted AS (
    SELECT e.*, w.id AS to_webhook, w.url, w.receiver FROM relayed e JOIN webhooks w ON w.account_id = e.account_id
    WHERE e.webhook_id IS NULL AND w.is_active AND w.events && ARRAY['*', e.event_type]
    ORDER BY e.position FOR KEY SHARE OF w
  ), made AS (
    INSERT INTO deliveries (id, account_id, webhook_id, event_id, event_type, url, receiver, stage, status, attempts_max,
      next_attempt_at, scheduled_at, occurred_at, created_at)
    SELECT gen_random_uuid(), account_id, to_webhook, id, event_type, url, receiver, 'due', 'pending', 8,
      occurred_at, occurred_at, occurred_at, p_now FROM wanted
    RETURNING 1
  ), counted AS (
    SELECT count(*) AS events, count(*) = events_max AS may_have_more FROM relayed GROUP BY account_id, events_max
  )
  SELECT coalesce(sum(events), 0), (SELECT count(*) FROM made), coalesce(bool_or(may_have_more), false)
    INTO events_taken, deliveries_made, is_more FROM counted;

  last_account := v_accounts[p_accounts_max];
  is_more := is_more OR last_account IS NOT NULL;
END $$;
