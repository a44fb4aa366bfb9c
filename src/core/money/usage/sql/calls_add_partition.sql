-- Makes the partition of calls for the month that begins on this day, and moves there what waits for it in the default
-- partition. The triggers of the whole table do not fire for its parts, so what moves is not counted again.
--
-- Locks calls against other changes of its partitions, then the default partition against everybody. Attaching waits
-- for readers of the default partition and makes later ones wait; better to give up after a second and try again than
-- to hold all calls.
--
-- Returns whether it made the partition; false where there is one.
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
