-- Which events of entries any of these accounts subscribes to, as bits (event_bit). Locks nothing. Returns null for none:
-- then this look is all that an entry costs.
CREATE OR REPLACE FUNCTION ledger_told_types(p_accounts uuid[]) RETURNS integer LANGUAGE plpgsql STABLE AS $$
DECLARE
  c_told CONSTANT integer := event_bit('balance.updated') | event_bit('balance.low') | event_bit('balance.depleted')
    | event_bit('usage.threshold');
BEGIN
  RETURN (SELECT bit_or(event_types) FROM event_subscriptions
    WHERE account_id = ANY(p_accounts) AND event_types & c_told <> 0);
END $$;
