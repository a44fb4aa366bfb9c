-- Keeps the partitions of usage_hours: makes those of the month that begins on p_month and of the next three, and those whose
-- hours are in the default partition because theirs was missing; drops those whose hours ended before roll_ups.hours_from and
-- are in the sums of their days. Then it sets hours_from to p_before, the first day of a month, for the next time. Readers take
-- hours before hours_from from elsewhere, so a partition goes only once all of them have had an hour to see that.
--
-- Locks roll_ups, so that one process does this at a time and no calls are added meanwhile; then the default partition and each
-- partition that it drops against everybody. Gives up when it waits a second for a lock.
--
-- Returns the names of the partitions that it made or dropped.
CREATE OR REPLACE FUNCTION usage_hours_keep(p_month date, p_before date) RETURNS SETOF text
LANGUAGE plpgsql SET lock_timeout = '1s' SET timezone = 'UTC' AS $$
DECLARE
  v_from timestamptz;
  -- The partition of all hours up to this, while it is there.
  v_first_ends timestamptz := (SELECT substring(pg_get_expr(relpartbound, oid) FROM 'TO \(''([^'']+)''\)')::timestamptz
    FROM pg_class WHERE oid = to_regclass('usage_hours_first'));
  v_month date;
  v_name text;
  v_end timestamptz;
  v_is_open boolean;
BEGIN
  SELECT hours_from INTO v_from FROM roll_ups FOR UPDATE;
  FOR v_month IN
    SELECT month::date FROM generate_series(p_month, p_month + interval '3 months', '1 month') AS month
    UNION
    SELECT date_trunc('month', hour)::date FROM usage_hours_default WHERE hour < p_month
    ORDER BY 1
  LOOP
    v_name := 'usage_hours_' || to_char(v_month, 'YYYY_MM');
    CONTINUE WHEN to_regclass(v_name) IS NOT NULL OR v_month < v_first_ends;
    v_end := v_month + interval '1 month';
    EXECUTE format('CREATE TABLE %I (LIKE usage_hours INCLUDING ALL) WITH (fillfactor = 50)', v_name);
    LOCK TABLE usage_hours_default IN ACCESS EXCLUSIVE MODE;
    EXECUTE format('WITH moved AS (DELETE FROM usage_hours_default WHERE hour >= %L AND hour < %L RETURNING *)
      INSERT INTO %I SELECT * FROM moved', v_month, v_end, v_name);
    EXECUTE format('ALTER TABLE usage_hours ATTACH PARTITION %I FOR VALUES FROM (%L) TO (%L)', v_name, v_month, v_end);
    RETURN NEXT v_name;
  END LOOP;
  FOR v_name IN
    SELECT relname FROM pg_inherits JOIN pg_class ON oid = inhrelid WHERE inhparent = 'usage_hours'::regclass
      AND substring(pg_get_expr(relpartbound, oid) FROM 'TO \(''([^'']+)''\)')::timestamptz <= v_from
    ORDER BY relname
  LOOP
    EXECUTE format('LOCK TABLE %I IN SHARE MODE', v_name);
    EXECUTE format('SELECT EXISTS (SELECT FROM %I WHERE NOT in_day)', v_name) INTO v_is_open;
    CONTINUE WHEN v_is_open;
    EXECUTE format('DROP TABLE %I', v_name);
    RETURN NEXT v_name;
  END LOOP;
  UPDATE roll_ups SET hours_from = p_before WHERE hours_from < p_before;
END $$;
