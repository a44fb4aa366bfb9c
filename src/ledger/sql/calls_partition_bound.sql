-- The smallest id of a call that was made in this month or later. A call's id is a UUIDv7, whose first 48 bits are the
-- milliseconds since 1970 at which it was made.
--
-- Locks nothing. Returns null where the month is null.
CREATE OR REPLACE FUNCTION calls_partition_bound(p_month date) RETURNS uuid LANGUAGE sql IMMUTABLE STRICT AS $$
  SELECT (lpad(to_hex((extract(epoch FROM p_month::timestamp) * 1000)::bigint), 12, '0') || repeat('0', 20))::uuid
$$;
