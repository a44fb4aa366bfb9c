-- Writes down what an account subscribes to: the union of the types of its active webhooks. To be called in every
-- transaction that adds, changes or removes a webhook, after the change.
--
-- Locks the account's subscriptions by an advisory lock, and only then reads the webhooks: of two changes at once the
-- second sees the first. Returns nothing.
CREATE OR REPLACE FUNCTION webhook_subscriptions(p_account uuid) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  v_types integer;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('webhook_subscriptions:' || p_account, 0));
  SELECT bit_or(event_bit(type)) INTO v_types FROM webhooks, unnest(events) AS type
    WHERE account_id = p_account AND is_active;
  IF v_types IS NULL THEN
    DELETE FROM event_subscriptions WHERE account_id = p_account;
  ELSE
    INSERT INTO event_subscriptions (account_id, event_types) VALUES (p_account, v_types)
    ON CONFLICT (account_id) DO UPDATE SET event_types = excluded.event_types;
  END IF;
END $$;
