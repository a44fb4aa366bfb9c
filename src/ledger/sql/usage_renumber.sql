-- Numbers calls anew where the database was restored into another cluster of Postgres that has not come as far with its
-- transactions: what is written there from now on would have lower numbers than roll_ups.rolled_to, and would count as summed.
-- What is in the sums gets no number, and the rest is left to the next usage_roll_up; charges_sum_up begins anew. To be called before a process writes calls.
--
-- Locks calls against writers, and against other processes that do the same, where it finds that; otherwise nothing.
--
-- Returns how many calls have another number now. It takes as long as writing them anew.
CREATE OR REPLACE FUNCTION usage_renumber() RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  v_to xid8;
  v_partition regclass;
  v_changed bigint;
  v_all bigint := 0;
BEGIN
  -- Nothing in a snapshot is of a later transaction than the snapshot itself, in the cluster that wrote it.
  IF NOT EXISTS (SELECT FROM roll_ups WHERE rolled_to > pg_snapshot_xmax(pg_current_snapshot())) THEN
    RETURN 0;
  END IF;
  LOCK TABLE calls IN SHARE ROW EXCLUSIVE MODE;
  SELECT rolled_to INTO v_to FROM roll_ups FOR UPDATE;
  -- Another process may have done it meanwhile: the snapshot is a new one.
  IF v_to <= pg_snapshot_xmax(pg_current_snapshot()) THEN
    RETURN 0;
  END IF;
  -- The trigger that keeps calls from being changed is one of the whole table.
  FOR v_partition IN SELECT inhrelid FROM pg_inherits WHERE inhparent = 'calls'::regclass ORDER BY inhrelid LOOP
    EXECUTE format('UPDATE %s SET written_by = CASE WHEN written_by >= $1 THEN pg_current_xact_id() END
      WHERE written_by IS NOT NULL', v_partition) USING v_to;
    GET DIAGNOSTICS v_changed = ROW_COUNT;
    v_all := v_all + v_changed;
  END LOOP;
  UPDATE roll_ups SET rolled_to = pg_current_xact_id(), summed_to = NULL;
  RETURN v_all;
END $$;
