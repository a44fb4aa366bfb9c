-- How much of p_bound the first of these amounts need together, beyond the room that there is: as many of them as fit, in their
-- order. So nothing is lent that no call will use. Locks nothing.
CREATE OR REPLACE FUNCTION ledger_fitting(p_amounts bigint[], p_room bigint, p_bound numeric) RETURNS numeric
LANGUAGE sql IMMUTABLE AS $$
  SELECT coalesce(max(greatest(0, through)), 0) FROM (
    SELECT sum(amount) OVER (ORDER BY place) - p_room AS through FROM unnest(p_amounts) WITH ORDINALITY AS asked (amount, place)
  ) AS sums WHERE through <= p_bound
$$;
