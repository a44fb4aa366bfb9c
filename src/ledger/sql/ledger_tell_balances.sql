-- Writes the events that entries are for the balances of accounts that subscribe to them: balance.updated for each entry,
-- balance.low where it takes the balance below 10 USD, and balance.depleted where it takes it to 0. Entries that do not
-- exist are passed over.
--
-- Its plan is made once, as that of the flushes is: made anew for each call, it takes ten times as long as its work. The
-- other settings keep it from a plan that suited a table which was still small.
--
-- Its caller, ledger_tell, is under the locks of the balances. Locks nothing itself.
DROP FUNCTION IF EXISTS ledger_tell_balances(uuid[], text);
CREATE OR REPLACE FUNCTION ledger_tell_balances(p_accounts uuid[], p_entries uuid[], p_operation text) RETURNS void
LANGUAGE plpgsql
SET plan_cache_mode = 'force_generic_plan' SET enable_seqscan = 'off' SET enable_hashjoin = 'off' SET enable_mergejoin = 'off'
AS $$
DECLARE
  c_low CONSTANT bigint := 10000000000;
BEGIN
  INSERT INTO events (id, account_id, event_type, data, operation, occurred_at, request_id)
  SELECT gen_random_uuid(), entry.account_id, told.event_type, told.data,
    CASE WHEN entry.type = 'charge' THEN entry.description ELSE p_operation END, entry.created_at, entry.request_id
  FROM unnest(p_accounts, p_entries) AS named (account_id, id)
  -- A view of two tables: without OFFSET 0 all of both were read, and not the rows of these ids alone.
  CROSS JOIN LATERAL (
    SELECT * FROM ledger_entries AS e WHERE e.id = named.id AND e.account_id = named.account_id OFFSET 0
  ) AS entry
  JOIN event_subscriptions AS subscription ON subscription.account_id = entry.account_id
  CROSS JOIN LATERAL (SELECT entry.balance_after_nano - entry.amount_nano AS before_nano) AS was
  CROSS JOIN LATERAL (
    SELECT 1 AS place, 'balance.updated' AS event_type, json_build_object(
      'user_id', entry.account_id,
      'previous_balance', event_usd(before_nano),
      'new_balance', event_usd(entry.balance_after_nano),
      'change', event_usd(entry.amount_nano),
      'reason', entry.type,
      'reference_id', entry.reference_id,
      'transaction_id', entry.id,
      'ledger_position', entry.position,
      'metadata', json_build_object('request_id', entry.request_id, 'cause', CASE
        -- A run of a task alone has the id of its request as its own, because both are those of its claim.
        WHEN entry.type = 'charge' AND entry.request_id = entry.id::text THEN 'task'
        WHEN entry.type = 'charge' THEN 'call'
        WHEN entry.type = 'deposit' AND entry.reference_id LIKE 'payment:%' THEN 'payment'
        WHEN entry.reference_id = 'welcome' THEN 'service'
        ELSE 'admin'
      END)) AS data
    UNION ALL
    SELECT 2, 'balance.low', json_build_object(
      'user_id', entry.account_id,
      'previous_balance', event_usd(before_nano),
      'balance', event_usd(entry.balance_after_nano),
      'threshold', event_usd(c_low),
      'transaction_id', entry.id)
    WHERE before_nano >= c_low AND entry.balance_after_nano < c_low
    UNION ALL
    SELECT 3, 'balance.depleted', json_build_object(
      'user_id', entry.account_id,
      'previous_balance', event_usd(before_nano),
      'balance', event_usd(entry.balance_after_nano),
      'transaction_id', entry.id)
    WHERE before_nano > 0 AND entry.balance_after_nano = 0
  ) AS told
  WHERE entry.amount_nano <> 0 AND subscription.event_types & event_bit(told.event_type) <> 0
  ORDER BY entry.position, told.place;
END $$;
