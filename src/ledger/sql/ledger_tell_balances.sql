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
  SELECT gen_random_uuid(), e.account_id, told.event_type, told.data,
    CASE WHEN e.type = 'charge' THEN e.description ELSE p_operation END, e.created_at, e.request_id
  FROM unnest(p_accounts, p_entries) AS t (account_id, id)
  JOIN ledger_entries AS e ON e.id = t.id AND e.account_id = t.account_id
  JOIN event_subscriptions AS s ON s.account_id = e.account_id
  CROSS JOIN LATERAL (SELECT e.balance_after_nano - e.amount_nano AS before_nano) AS was
  CROSS JOIN LATERAL (
    SELECT 1 AS place, 'balance.updated' AS event_type, json_build_object(
      'user_id', e.account_id,
      'previous_balance', event_usd(before_nano),
      'new_balance', event_usd(e.balance_after_nano),
      'change', event_usd(e.amount_nano),
      'reason', e.type,
      'reference_id', e.reference_id,
      'transaction_id', e.id,
      'ledger_position', e.position) AS data
    UNION ALL
    SELECT 2, 'balance.low', json_build_object(
      'user_id', e.account_id,
      'previous_balance', event_usd(before_nano),
      'balance', event_usd(e.balance_after_nano),
      'threshold', event_usd(c_low),
      'transaction_id', e.id)
    WHERE before_nano >= c_low AND e.balance_after_nano < c_low
    UNION ALL
    SELECT 3, 'balance.depleted', json_build_object(
      'user_id', e.account_id,
      'previous_balance', event_usd(before_nano),
      'balance', event_usd(e.balance_after_nano),
      'transaction_id', e.id)
    WHERE before_nano > 0 AND e.balance_after_nano = 0
  ) AS told
  WHERE e.amount_nano <> 0 AND s.event_types & event_bit(told.event_type) <> 0
  ORDER BY e.position, told.place;
END $$;
