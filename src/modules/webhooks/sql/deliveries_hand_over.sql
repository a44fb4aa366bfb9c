-- One round of the hand-over: what is to be put in the queue now. First, leases that are over make their deliveries due
-- again (their jobs are lost, or their worker is), and at most p_later_max deliveries whose time has come become due. A
-- lease by a clock that was set back since begins anew.
-- Then due deliveries are handed, so that at no time more than p_per_receiver_max of one receiver are in hand, in each
-- of the two lanes not more than p_per_account_max of one account, and not more than p_fast_max and p_slow_max in all.
-- What accounts in other schemas have in hand counts as well.
-- The slow lane is for slow_receivers, as each schema has found them. The first delivery of every account comes before the second of any, what the
-- account has in hand included; between equals the lot decides, so that none starves.
--
-- The pairs of receiver and account that have due deliveries are found by hopping along the index, at most p_pairs_max,
-- after the pair that the last round ended with (null to begin with the first).
--
-- Takes an advisory lock until the transaction ends, because two rounds at once would each fill the bounds. Where another
-- round holds it, nothing is looked at.
--
-- Returns the handed deliveries [{id, attempt, isSlow}] in the order in which they should begin, the pair to go on after
-- (null when there was none after those looked at), whether another round at once may hand more, when the next delivery
-- that waits becomes due (null for none), whether deliveries are due that were not handed,
-- and how many leases were over: null where nothing was looked at.
CREATE OR REPLACE FUNCTION deliveries_hand_over(
  p_now timestamptz,
  p_lease_seconds integer,
  p_after_receiver text,
  p_after_account uuid,
  p_pairs_max integer,
  p_later_max integer,
  p_per_receiver_max integer,
  p_per_account_max integer,
  p_fast_max integer,
  p_slow_max integer,
  OUT handed json,
  OUT last_receiver text,
  OUT last_account uuid,
  OUT is_more boolean,
  OUT next_due_at timestamptz,
  OUT are_kept_back boolean,
  OUT leases_over integer
) LANGUAGE plpgsql AS $$
DECLARE
  v_later integer;
  v_pairs integer;
  v_fast_room integer;
  v_slow_room integer;
  v_of_others json;
  v_lease interval := make_interval(secs => p_lease_seconds);
BEGIN
  IF NOT pg_try_advisory_xact_lock(hashtextextended('deliveries_hand_over', 0)) THEN
    handed := '[]';
    is_more := false;
    are_kept_back := true;
    RETURN;
  END IF;

  -- As arrays they are asked for once: after IN, a plan may ask for each row, past the limit.
  UPDATE deliveries SET handed_until = p_now + v_lease,
    claimed_until = CASE WHEN claimed_until > p_now + v_lease THEN p_now + v_lease ELSE claimed_until END
  WHERE id = ANY (ARRAY(
    SELECT id FROM deliveries WHERE stage = 'handed' AND handed_until > p_now + 2 * v_lease FOR UPDATE SKIP LOCKED
  ));
  UPDATE deliveries SET stage = 'due', handed_until = NULL WHERE id = ANY (ARRAY(
    SELECT id FROM deliveries WHERE stage = 'handed' AND handed_until <= p_now FOR UPDATE SKIP LOCKED
  ));
  GET DIAGNOSTICS leases_over = ROW_COUNT;
  UPDATE deliveries SET stage = 'due' WHERE id = ANY (ARRAY(
    SELECT id FROM deliveries WHERE stage = 'later' AND next_attempt_at <= p_now
    ORDER BY next_attempt_at LIMIT p_later_max FOR UPDATE SKIP LOCKED
  ));
  GET DIAGNOSTICS v_later = ROW_COUNT;

  SELECT p_fast_max - count(*) FILTER (WHERE s.receiver IS NULL), p_slow_max - count(s.receiver)
    INTO v_fast_room, v_slow_room
    FROM deliveries d LEFT JOIN slow_receivers s ON s.receiver = d.receiver WHERE d.stage = 'handed';
  IF to_regclass('everyone.deliveries') IS NOT NULL THEN
    SELECT json_agg(o), v_fast_room - coalesce(sum(deliveries) FILTER (WHERE NOT is_slow), 0),
      v_slow_room - coalesce(sum(deliveries) FILTER (WHERE is_slow), 0)
      INTO v_of_others, v_fast_room, v_slow_room
      FROM (
        SELECT d.receiver, s.receiver IS NOT NULL AS is_slow, count(*) AS deliveries
        FROM everyone.deliveries d LEFT JOIN (SELECT DISTINCT receiver FROM everyone.slow_receivers) AS s USING (receiver)
        WHERE d.stage = 'handed' AND NOT EXISTS (SELECT FROM deliveries own WHERE own.id = d.id AND own.stage = 'handed')
        GROUP BY 1, 2
      ) AS o;
  END IF;

  WITH RECURSIVE pairs AS MATERIALIZED (
    (SELECT receiver, account_id, 1 AS place FROM deliveries
      WHERE stage = 'due' AND (receiver, account_id)
        > (coalesce(p_after_receiver, ''), coalesce(p_after_account, '00000000-0000-0000-0000-000000000000'))
      ORDER BY receiver, account_id LIMIT 1)
    UNION ALL
    SELECT following.receiver, following.account_id, p.place + 1 FROM pairs p CROSS JOIN LATERAL (
      SELECT d.receiver, d.account_id FROM deliveries d
      WHERE d.stage = 'due' AND (d.receiver, d.account_id) > (p.receiver, p.account_id)
      ORDER BY d.receiver, d.account_id LIMIT 1
    ) AS following WHERE p.place < p_pairs_max
  ), in_hand AS MATERIALIZED (
    SELECT d.receiver, d.account_id, s.receiver IS NOT NULL AS is_slow, count(*) AS deliveries
    FROM deliveries d LEFT JOIN slow_receivers s ON s.receiver = d.receiver WHERE d.stage = 'handed' GROUP BY 1, 2, 3
  ), of_receiver AS (
    SELECT receiver, sum(deliveries) AS deliveries FROM (
      SELECT receiver, deliveries FROM in_hand
      UNION ALL SELECT receiver, deliveries FROM json_to_recordset(v_of_others) AS o(receiver text, deliveries bigint)
    ) AS everywhere GROUP BY receiver
  ), of_account AS (
    SELECT account_id, is_slow, sum(deliveries) AS deliveries FROM in_hand GROUP BY account_id, is_slow
  ), pairs_with_room AS (
    SELECT p.receiver, p.account_id, s.receiver IS NOT NULL AS is_slow,
      coalesce(r.deliveries, 0) AS receiver_in_hand, coalesce(a.deliveries, 0) AS account_in_hand,
      CASE WHEN s.receiver IS NULL THEN v_fast_room ELSE v_slow_room END AS lane_room
    FROM pairs p
    LEFT JOIN slow_receivers s ON s.receiver = p.receiver
    LEFT JOIN of_receiver r ON r.receiver = p.receiver
    LEFT JOIN of_account a ON a.account_id = p.account_id AND a.is_slow = (s.receiver IS NOT NULL)
  ), candidates AS (
    SELECT p.*, waiting.*, p.account_in_hand + row_number() OVER (
      PARTITION BY p.account_id, p.is_slow ORDER BY waiting.next_attempt_at, waiting.id
    ) AS account_rank
    FROM pairs_with_room p CROSS JOIN LATERAL (
      SELECT d.id, d.attempt_count, d.next_attempt_at FROM deliveries d
      WHERE d.stage = 'due' AND d.receiver = p.receiver AND d.account_id = p.account_id
      ORDER BY d.next_attempt_at, d.id
      LIMIT greatest(0, least(
        p_per_receiver_max - p.receiver_in_hand, p_per_account_max - p.account_in_hand, p.lane_room))
    ) AS waiting
  ), within_accounts AS (
    SELECT *, receiver_in_hand + row_number() OVER (PARTITION BY receiver ORDER BY account_rank, random()) AS receiver_rank
    FROM candidates WHERE account_rank <= p_per_account_max
  ), within_receivers AS (
    SELECT *, row_number() OVER (PARTITION BY is_slow ORDER BY account_rank, random()) AS lane_rank
    FROM within_accounts WHERE receiver_rank <= p_per_receiver_max
  ), picked AS MATERIALIZED (
    SELECT * FROM within_receivers WHERE lane_rank <= lane_room
  ), locked AS MATERIALIZED (
    SELECT id FROM deliveries WHERE id IN (SELECT id FROM picked) AND stage = 'due' FOR UPDATE SKIP LOCKED
  ), changed AS (
    UPDATE deliveries d SET stage = 'handed', handed_until = p_now + v_lease
    FROM locked WHERE d.id = locked.id RETURNING d.id
  ), taken AS (
    SELECT picked.* FROM changed JOIN picked USING (id)
  )
  SELECT
    (SELECT coalesce(json_agg(json_build_object('id', id, 'attempt', attempt_count + 1, 'isSlow', is_slow)
      ORDER BY lane_rank), '[]') FROM taken),
    (SELECT count(*) FROM pairs),
    v_fast_room - (SELECT count(*) FROM taken WHERE NOT is_slow),
    v_slow_room - (SELECT count(*) FROM taken WHERE is_slow),
    (SELECT receiver FROM pairs WHERE place = p_pairs_max),
    (SELECT account_id FROM pairs WHERE place = p_pairs_max)
    INTO handed, v_pairs, v_fast_room, v_slow_room, last_receiver, last_account;

  is_more := v_later = p_later_max OR (v_pairs = p_pairs_max AND (v_fast_room > 0 OR v_slow_room > 0));
  SELECT min(next_attempt_at) INTO next_due_at FROM deliveries WHERE stage = 'later';
  are_kept_back := EXISTS (SELECT FROM deliveries WHERE stage = 'due');
END $$;
