-- Adds a deposit, an adjustment or a bonus to an account. An account gets only one credit with the same reference: a
-- second try returns the entry that the first wrote. Without a reference every call adds credit.
--
-- Locks the account's balance. What the events of the credit lock comes after it (ledger_tell).
--
-- Returns the entry's id, and whether this try wrote it; nulls where there is no such account. Amounts are in nano-USD.
--
-- p_operation, which the events name, has a default, so that replicas of the build before may still call without it.
DROP FUNCTION IF EXISTS ledger_credit(uuid, uuid, text, bigint, text, text, text, timestamptz);
CREATE OR REPLACE FUNCTION ledger_credit(
  p_entry uuid,
  p_account uuid,
  p_type text,
  p_amount bigint,
  p_description text,
  p_reference text,
  p_request_id text,
  p_now timestamptz,
  p_operation text DEFAULT NULL,
  OUT entry_id uuid,
  OUT is_new boolean
) LANGUAGE plpgsql AS $$
DECLARE
  b balances;
BEGIN
  SELECT * INTO b FROM balances WHERE account_id = p_account FOR NO KEY UPDATE;
  IF NOT FOUND THEN
    RETURN;
  END IF;
  SELECT id INTO entry_id FROM credits
    WHERE account_id = p_account AND reference_id = p_reference AND type IN ('deposit', 'adjustment', 'bonus');
  is_new := entry_id IS NULL;
  IF is_new THEN
    entry_id := p_entry;
    UPDATE balances SET balance_nano = b.balance_nano + p_amount WHERE account_id = p_account;
    INSERT INTO credits
      (id, account_id, type, amount_nano, balance_after_nano, description, reference_id, request_id, created_at)
    VALUES
      (p_entry, p_account, p_type, p_amount, b.balance_nano + p_amount, p_description, p_reference, p_request_id,
       p_now);
    PERFORM ledger_tell(ARRAY[p_account], ARRAY[p_entry], p_operation);
  END IF;
END $$;
