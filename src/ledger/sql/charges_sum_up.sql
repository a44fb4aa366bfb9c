-- Adds what accounts were charged for the calls that were written since the last time to carried_charges.summed_nano, so that the
-- books are checked by the calls of the last hour and not by all. It goes as far as usage_roll_up has come: all transactions
-- before that have ended, and what they wrote is seen. Where nothing is known to be summed, it sums all calls that there are.
--
-- Locks roll_ups, so that meanwhile nobody else sums or drops calls; then rows of carried_charges in the order of their accounts.
CREATE OR REPLACE FUNCTION charges_sum_up() RETURNS void LANGUAGE plpgsql
SET plan_cache_mode = 'force_custom_plan' AS $$
DECLARE
  v roll_ups;
  v_is_first boolean;
BEGIN
  SELECT * INTO v FROM roll_ups FOR UPDATE;
  v_is_first := v.summed_to IS NULL;
  IF v_is_first THEN
    UPDATE carried_charges SET summed_nano = 0 WHERE summed_nano <> 0;
  END IF;
  INSERT INTO carried_charges AS carried (account_id, amount_nano, summed_nano)
  SELECT account_id, 0, -sum(charged_nano) FROM calls
  -- A call without a number was summed before calls had one, or in another cluster.
  WHERE position IS NOT NULL
    AND (written_by >= coalesce(v.summed_to, '0') AND written_by < v.rolled_to OR v_is_first AND written_by IS NULL)
  GROUP BY account_id ORDER BY account_id
  ON CONFLICT (account_id) DO UPDATE SET summed_nano = carried.summed_nano + excluded.summed_nano;
  UPDATE roll_ups SET summed_to = v.rolled_to;
END $$;
