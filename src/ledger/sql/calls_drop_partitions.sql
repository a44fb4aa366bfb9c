-- Drops the partitions of calls that end before the month which begins on this day, with all their calls. The sums of
-- those calls stay. The default partition is never dropped.
--
-- Locks calls and each partition that it drops against everybody. Gives up when it waits a second for a lock.
--
-- Returns the names of the partitions that it dropped.
CREATE OR REPLACE FUNCTION calls_drop_partitions(p_before date) RETURNS SETOF text
LANGUAGE plpgsql SET lock_timeout = '1s' AS $$
DECLARE
  v_partition regclass;
BEGIN
  FOR v_partition IN
    SELECT c.oid FROM pg_inherits AS i JOIN pg_class AS c ON c.oid = i.inhrelid
    WHERE i.inhparent = 'calls'::regclass AND calls_partition_bound(p_before) >=
      substring(pg_get_expr(c.relpartbound, c.oid) FROM 'TO \(''([0-9a-f-]{36})''\)')::uuid
    ORDER BY c.relname
  LOOP
    RETURN NEXT v_partition::text;
    EXECUTE format('DROP TABLE %s', v_partition);
  END LOOP;
END $$;
