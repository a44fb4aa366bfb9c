-- Ends many calls at once, as ledger_settle ends one. The arrays s_… have one element for each settlement, in the order
-- of arrival; times are milliseconds since 1970. It passes over the calls in p_except, over calls without a reservation,
-- and over calls that cost more than was reserved for them; the ledger has ledger_settle end or answer those. What one
-- of the last is charged depends on what the one before has left, so each needs a statement of its own; and a
-- transaction must write its rows of usage in a single one, which locks the hourly sums in order (usage_hours_add).
--
-- Its caller, ledger_flush, has locked the balances. Balances and spent counters change only under that lock, so they
-- cannot change between being read and being written here. It locks reservations and keys itself.
--
-- Returns three arrays of the same length: the places of the settlements that it made (from 1), what each was charged,
-- and the balance after it, in nano-USD. Fails as a whole where a call has a row of usage already; then the ledger
-- splits the flush, and ledger_settle ends that call.
CREATE OR REPLACE FUNCTION ledger_settle_many(
  s_id uuid[],
  s_account uuid[],
  s_outcome text[],
  s_charge bigint[],
  s_status integer[],
  s_input integer[],
  s_output integer[],
  s_now bigint[],
  s_entry uuid[],
  p_except uuid[],
  OUT items bigint[],
  OUT charged bigint[],
  OUT balances_after bigint[]
) LANGUAGE plpgsql AS $$
#variable_conflict use_column
BEGIN
  WITH ended AS (
    DELETE FROM reservations AS reservation
    USING unnest(s_id, s_account, s_outcome, s_charge, s_status, s_input, s_output, s_now, s_entry) WITH ORDINALITY
      AS settlement (id, account_id, outcome, charge, status, input_tokens, output_tokens, now_ms, entry, item)
    WHERE reservation.id = settlement.id AND reservation.account_id = settlement.account_id
      AND settlement.charge <= reservation.amount_nano
      AND (p_except IS NULL OR settlement.id <> ALL(p_except))
    RETURNING reservation.*, settlement.item, settlement.outcome, settlement.status, settlement.input_tokens,
      settlement.output_tokens, settlement.entry,
      to_timestamp(settlement.now_ms / 1000.0) AS ended_at, greatest(settlement.charge, 0) AS charged_nano
  ), told AS (
    SELECT ended.*, (balance.balance_nano - sum(charged_nano) OVER (
      PARTITION BY account_id ORDER BY item ROWS UNBOUNDED PRECEDING))::bigint AS balance_after_nano
    FROM ended JOIN balances AS balance USING (account_id)
  ), paid AS (
    UPDATE balances AS balance SET
      balance_nano = balance.balance_nano - total.charged,
      reserved_nano = balance.reserved_nano - total.freed
    FROM (
      SELECT account_id, sum(charged_nano) AS charged, sum(amount_nano) AS freed FROM ended GROUP BY account_id
    ) AS total
    WHERE balance.account_id = total.account_id
  ), freed AS (
    UPDATE access_keys AS key SET
      day_spent_nano = key.day_spent_nano - unused.day,
      month_spent_nano = key.month_spent_nano - unused.month
    FROM (
      SELECT key.account_id, key.id,
        coalesce(sum(ended.amount_nano - ended.charged_nano) FILTER (WHERE key.spent_day = ended.spent_day), 0) AS day,
        coalesce(sum(ended.amount_nano - ended.charged_nano) FILTER (WHERE key.spent_month = ended.spent_month), 0) AS month
      FROM ended JOIN access_keys AS key
        ON key.id = ended.key_id AND key.account_id = ended.account_id AND key.spent_epoch = ended.spent_epoch
      WHERE ended.charged_nano < ended.amount_nano GROUP BY key.account_id, key.id
    ) AS unused
    WHERE key.id = unused.id AND key.account_id = unused.account_id
  ), entered AS (
    INSERT INTO ledger_entries
      (id, account_id, type, amount_nano, balance_after_nano, description, reference_id, request_id, key_id, created_at)
    SELECT entry, account_id, 'charge', -charged_nano, balance_after_nano, operation, id::text, request_id, key_id,
      ended_at
    FROM told WHERE charged_nano > 0 ORDER BY item
  ), logged AS (
    INSERT INTO calls
      (id, account_id, key_id, request_id, operation, outcome, status, price, price_version, input_tokens,
       output_tokens, reserved_nano, charged_nano, entry_id, latency_ms, created_at, completed_at, client_request_id)
    SELECT id, account_id, key_id, request_id, operation, outcome, status, price, price_version, input_tokens,
      output_tokens, amount_nano, charged_nano, CASE WHEN charged_nano > 0 THEN entry END,
      least(extract(epoch FROM ended_at - created_at) * 1000, 2147483647)::integer, created_at, ended_at, client_request_id
    FROM ended
  )
  SELECT array_agg(item), array_agg(charged_nano), array_agg(balance_after_nano)
    INTO items, charged, balances_after FROM told;
END $$;
