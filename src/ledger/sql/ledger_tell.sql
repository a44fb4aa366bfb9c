-- Writes the events of new entries, for those of these accounts that subscribe to them: those of their balances
-- (ledger_tell_balances) and usage.threshold (ledger_tell_thresholds). The arrays have one element for each entry. To be
-- called in the transaction that wrote the entries, after its last other lock. p_operation names the operation that gave
-- a credit; a charge names its own.
--
-- Its caller has locked the balances, so that the events of an account are written in the order of its entries, and
-- what is told of a key is what counts. It locks marks only. Whoever locks marks has locked balances and keys before;
-- so no two transactions wait for each other.
CREATE OR REPLACE FUNCTION ledger_tell(p_accounts uuid[], p_entries uuid[], p_operation text) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
  v_types integer := (SELECT bit_or(event_types) FROM event_subscriptions WHERE account_id = ANY(p_accounts));
BEGIN
  IF v_types & (event_bit('balance.updated') | event_bit('balance.low') | event_bit('balance.depleted')) <> 0 THEN
    PERFORM ledger_tell_balances(p_accounts, p_entries, p_operation);
  END IF;
  IF v_types & event_bit('usage.threshold') <> 0 THEN
    PERFORM ledger_tell_thresholds(p_accounts, p_entries);
  END IF;
END $$;
