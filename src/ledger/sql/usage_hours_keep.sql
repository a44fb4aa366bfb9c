-- Keeps the partitions of usage_hours. Drops those that end before roll_ups.hours_from and whose hours are in the sums of their
-- days; makes those of the month that begins on p_month and of the next three, and those whose hours are in the default
-- partition because theirs was missing. Then it sets hours_from to the end of the newest partition that ends before p_before, for
-- the next run: readers take hours before hours_from from elsewhere, so that they miss nothing when it goes.
--
-- Locks roll_ups, for which it waits; then, giving up after a second, usage_hours against everybody where a partition is to be
-- dropped, and the default partition where one is to be made.
--
-- Returns the names of the partitions that it made or dropped.
CREATE OR REPLACE FUNCTION usage_hours_keep(p_month date, p_before date) RETURNS SETOF text
LANGUAGE plpgsql SET timezone = 'UTC' AS $$
DECLARE
  v_from timestamptz;
  -- The partition of all hours up to this, while it is there.
  v_first_ends timestamptz := (SELECT substring(pg_get_expr(relpartbound, oid) FROM 'TO \(''([^'']+)''\)')::timestamptz
    FROM pg_class WHERE oid = to_regclass('usage_hours_first'));
  v_month date;
  v_name text;
  v_end timestamptz;
  v_next timestamptz;
  v_is_open boolean;
BEGIN
  SELECT hours_from INTO v_from FROM roll_ups FOR UPDATE;
  PERFORM set_config('lock_timeout', '1s', true);
  FOR v_name, v_end IN
    SELECT relname, past FROM (
      SELECT relname, substring(pg_get_expr(relpartbound, oid) FROM 'TO \(''([^'']+)''\)')::timestamptz AS past
      FROM pg_inherits JOIN pg_class ON oid = inhrelid WHERE inhparent = 'usage_hours'::regclass) AS part
    WHERE past <= p_before ORDER BY relname
  LOOP
    v_next := greatest(v_next, v_end);
    CONTINUE WHEN v_end > v_from;
    LOCK TABLE usage_hours IN ACCESS EXCLUSIVE MODE;
    EXECUTE format('SELECT EXISTS (SELECT FROM %I WHERE NOT in_day)', v_name) INTO v_is_open;
    CONTINUE WHEN v_is_open;
    EXECUTE format('DROP TABLE %I', v_name);
    RETURN NEXT v_name;
  END LOOP;
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
  UPDATE roll_ups SET hours_from = v_next WHERE hours_from < v_next;
END $$;
