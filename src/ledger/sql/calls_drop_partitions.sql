-- Drops the partitions of calls that end before the month which begins on this day, with all their calls. The sums of
-- those calls stay, and carried_charges keeps what each account was charged for them, so that a balance remains the sum of
-- its entries and of that. A partition whose calls have not been added to the sums yet is left to the next run. The default
-- partition is never dropped.
--
-- Locks what charges_sum_up locks, then each partition that it drops against writers while it is summed, then it and calls
-- against everybody. Gives up when it waits a second for a lock.
--
-- Returns the names of the partitions that it dropped.
CREATE OR REPLACE FUNCTION calls_drop_partitions(p_before date) RETURNS SETOF text
LANGUAGE plpgsql SET lock_timeout = '1s' AS $$
DECLARE
  v_partition regclass;
  v_is_summed boolean;
BEGIN
  FOR v_partition IN
    SELECT c.oid FROM pg_inherits AS i JOIN pg_class AS c ON c.oid = i.inhrelid
    WHERE i.inhparent = 'calls'::regclass AND calls_partition_bound(p_before) >=
      substring(pg_get_expr(c.relpartbound, c.oid) FROM 'TO \(''([0-9a-f-]{36})''\)')::uuid
    ORDER BY c.relname
  LOOP
    PERFORM charges_sum_up();
    EXECUTE format('LOCK TABLE %s IN SHARE MODE', v_partition);
    EXECUTE format('SELECT NOT EXISTS (
      SELECT FROM %s WHERE written_by >= (SELECT summed_to FROM roll_ups))', v_partition) INTO v_is_summed;
    CONTINUE WHEN NOT v_is_summed;
    EXECUTE format('UPDATE carried_charges AS carried SET
        amount_nano = carried.amount_nano - dropped.charged_nano, summed_nano = carried.summed_nano + dropped.charged_nano
      FROM (SELECT account_id, sum(charged_nano) AS charged_nano FROM %s WHERE position IS NOT NULL GROUP BY account_id) AS dropped
      WHERE carried.account_id = dropped.account_id', v_partition);
    RETURN NEXT v_partition::text;
    EXECUTE format('DROP TABLE %s', v_partition);
  END LOOP;
END $$;
