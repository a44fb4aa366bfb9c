-- Writes the events of new entries, for those of these accounts that subscribe to them: balance.updated for each entry,
-- balance.low where it takes the balance below 10 USD, balance.depleted where it takes it to 0, and usage.threshold
-- (ledger_tell_thresholds). To be called in the transaction that wrote the entries, after its last other lock. Entries
-- that do not exist are passed over. p_operation names the operation that gave a credit; a charge names its own.
--
-- Where none of the accounts subscribes, one look at event_subscriptions is all that it does.
--
-- Its caller has locked the balances, so that the events of an account are written in the order of its entries, and
-- what is told of a key is what counts. It locks marks only. Whoever locks marks has locked balances and keys before;
-- so no two transactions wait for each other.
CREATE OR REPLACE FUNCTION ledger_tell(p_accounts uuid[], p_entries uuid[], p_operation text) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
  c_low CONSTANT bigint := 10000000000;
  c_balance CONSTANT integer :=
    event_bit('balance.updated') | event_bit('balance.low') | event_bit('balance.depleted');
  v_types integer;
BEGIN
  SELECT bit_or(event_types) INTO v_types FROM event_subscriptions
    WHERE account_id = ANY(p_accounts) AND event_types & (c_balance | event_bit('usage.threshold')) <> 0;
  IF v_types IS NULL THEN
    RETURN;
  END IF;

  IF v_types & c_balance <> 0 THEN
    INSERT INTO events (id, account_id, event_type, data, operation, occurred_at)
    SELECT gen_random_uuid(), e.account_id, told.event_type, told.data,
      CASE WHEN e.type = 'charge' THEN e.description ELSE p_operation END, e.created_at
    FROM ledger_entries AS e
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
    WHERE e.id = ANY(p_entries) AND e.amount_nano <> 0 AND s.event_types & event_bit(told.event_type) <> 0
    ORDER BY e.position, told.place;
  END IF;

  IF v_types & event_bit('usage.threshold') <> 0 THEN
    PERFORM ledger_tell_thresholds(p_entries);
  END IF;
END $$;
