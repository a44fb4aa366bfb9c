-- The bit of a type of event in event_subscriptions. The order of the types never changes, and a new one goes to the end.
-- The type '*' stands for all of them.
--
-- Locks nothing. Returns null for an unknown type.
CREATE OR REPLACE FUNCTION event_bit(p_type text) RETURNS integer LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN p_type = '*' THEN -1 ELSE 1 << (array_position(ARRAY[
    'payment.created', 'payment.confirming', 'payment.confirmed', 'payment.failed', 'payment.expired',
    'balance.updated', 'balance.low', 'balance.depleted',
    'usage.limit_exceeded', 'usage.threshold', 'usage.spike',
    'anomaly.detected', 'rate_limit.exceeded', 'key.revoked'], p_type) - 1) END
$$;
