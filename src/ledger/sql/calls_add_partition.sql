-- Makes the partition of calls for the month that begins on this day. Moves the calls of that month there which are in
-- the default partition because theirs was missing. The triggers of calls do not fire for statements on a partition, so
-- calls that move are not counted again.
--
-- Locks calls against other changes of its partitions, then the default partition against everybody. For that it waits
-- for the readers of the default partition, while later ones wait behind it. So it gives up after a second, and the
-- next run of its job tries again, rather than holding up all calls.
--
-- Returns whether it made the partition; false where there was one already.
CREATE OR REPLACE FUNCTION calls_add_partition(p_month date) RETURNS boolean
LANGUAGE plpgsql SET lock_timeout = '1s' AS $$
DECLARE
  v_name text := 'calls_' || to_char(p_month, 'YYYY_MM');
  v_start uuid := calls_partition_bound(p_month);
  v_end uuid := calls_partition_bound((p_month + interval '1 month')::date);
BEGIN
  LOCK TABLE calls IN SHARE UPDATE EXCLUSIVE MODE;
  IF to_regclass(v_name) IS NOT NULL THEN
    RETURN false;
  END IF;
  EXECUTE format('CREATE TABLE %I (LIKE calls INCLUDING DEFAULTS INCLUDING CONSTRAINTS INCLUDING INDEXES)', v_name);
  LOCK TABLE calls_default IN ACCESS EXCLUSIVE MODE;
  EXECUTE format('WITH moved AS (DELETE FROM calls_default WHERE id >= %L AND id < %L RETURNING *)
    INSERT INTO %I SELECT * FROM moved', v_start, v_end, v_name);
  EXECUTE format('ALTER TABLE calls ATTACH PARTITION %I FOR VALUES FROM (%L) TO (%L)', v_name, v_start, v_end);
  RETURN true;
END $$;
