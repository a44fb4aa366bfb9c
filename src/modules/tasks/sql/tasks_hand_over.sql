-- One round of the hand-over: which tasks are to be put in the queue now. First, tasks that nobody holds any more wait
-- again: their jobs are lost, or their worker is. What is held by a clock that was set back since is held from now on.
-- Then waiting tasks are handed, so that at no time more than p_per_account_max of one account are in hand, and not more
-- than p_in_hand_max in all, those of accounts in other schemas included. The first task of every account
-- comes before the second of any, what the account has in hand included; between equals the lot decides. Within an account
-- the highest priority comes first, then the oldest. What a pause holds back waits, and delays nothing else.
--
-- The accounts that have waiting tasks are found by hopping along the index, at most p_accounts_max, after the one that the
-- last round ended with (null to begin with the first). So are the kinds of tasks of an account, which are those of one key
-- and one type: ten thousand that a pause holds back cost no more than one.
--
-- Takes an advisory lock until the transaction ends, because two rounds at once would each fill the bounds. Where another
-- round holds it, nothing is looked at.
--
-- Returns the handed tasks in the order in which they should begin, the account to go on after (null when there was none
-- after those looked at), whether all that may be in hand are, and how many tasks nobody held any more: null where nothing
-- was looked at.
CREATE OR REPLACE FUNCTION tasks_hand_over(
  p_now timestamptz,
  p_held_until timestamptz,
  p_after uuid,
  p_accounts_max integer,
  p_per_account_max integer,
  p_in_hand_max integer,
  OUT handed uuid[],
  OUT last_account uuid,
  OUT is_full boolean,
  OUT lost integer
) LANGUAGE plpgsql AS $$
DECLARE
  v_room integer;
BEGIN
  IF NOT pg_try_advisory_xact_lock(hashtextextended('tasks_hand_over', 0)) THEN
    handed := '{}';
    is_full := false;
    RETURN;
  END IF;

  UPDATE tasks SET held_until = p_held_until WHERE id IN (
    SELECT id FROM tasks WHERE stage IN ('handed', 'running') AND held_until > p_now + 2 * (p_held_until - p_now)
    FOR NO KEY UPDATE SKIP LOCKED
  );
  UPDATE tasks SET stage = 'waiting', held_until = NULL WHERE id IN (
    SELECT id FROM tasks WHERE stage IN ('handed', 'running') AND held_until <= p_now FOR NO KEY UPDATE SKIP LOCKED
  );
  GET DIAGNOSTICS lost = ROW_COUNT;
  IF to_regclass('everyone.tasks') IS NULL THEN
    SELECT p_in_hand_max - count(*) INTO v_room FROM tasks WHERE stage IN ('handed', 'running');
  ELSE
    SELECT p_in_hand_max - count(*) INTO v_room FROM everyone.tasks WHERE stage IN ('handed', 'running');
  END IF;

  WITH RECURSIVE accounts AS MATERIALIZED (
    (SELECT account_id, 1 AS place FROM tasks
      WHERE stage = 'waiting' AND account_id > coalesce(p_after, '00000000-0000-0000-0000-000000000000')
      ORDER BY account_id LIMIT 1)
    UNION ALL
    SELECT following.account_id, a.place + 1 FROM accounts a CROSS JOIN LATERAL (
      SELECT t.account_id FROM tasks t WHERE t.stage = 'waiting' AND t.account_id > a.account_id
      ORDER BY t.account_id LIMIT 1
    ) AS following WHERE a.place < p_accounts_max
  ), in_hand AS MATERIALIZED (
    SELECT account_id, count(*) AS tasks FROM tasks WHERE stage IN ('handed', 'running') GROUP BY account_id
  ), candidates AS (
    SELECT next.id, coalesce(h.tasks, 0) + row_number() OVER (
      PARTITION BY a.account_id ORDER BY next.priority DESC, next.created_at, next.id
    ) AS account_rank
    FROM accounts a LEFT JOIN in_hand h USING (account_id) CROSS JOIN LATERAL (
      WITH RECURSIVE kinds AS (
        (SELECT key_id, task_type FROM tasks WHERE stage = 'waiting' AND account_id = a.account_id
          ORDER BY key_id, task_type LIMIT 1)
        UNION ALL
        SELECT following.* FROM kinds k CROSS JOIN LATERAL (
          SELECT t.key_id, t.task_type FROM tasks t
          WHERE t.stage = 'waiting' AND t.account_id = a.account_id AND (t.key_id, t.task_type) > (k.key_id, k.task_type)
          ORDER BY t.key_id, t.task_type LIMIT 1
        ) AS following
      )
      SELECT first.* FROM kinds k CROSS JOIN LATERAL (
        SELECT t.id, t.priority, t.created_at FROM tasks t
        WHERE t.stage = 'waiting' AND t.account_id = a.account_id AND t.key_id = k.key_id AND t.task_type = k.task_type
          AND (t.not_before IS NULL OR t.not_before <= p_now)
        ORDER BY t.priority DESC, t.created_at, t.id
        LIMIT greatest(0, least(p_per_account_max - coalesce(h.tasks, 0), v_room))
      ) AS first
      WHERE NOT EXISTS (
        SELECT FROM task_pauses p WHERE p.key_id = k.key_id AND p.task_type = k.task_type AND p.until > p_now)
      ORDER BY first.priority DESC, first.created_at, first.id
      LIMIT greatest(0, least(p_per_account_max - coalesce(h.tasks, 0), v_room))
    ) AS next
  ), picked AS MATERIALIZED (
    SELECT id, row_number() OVER (ORDER BY account_rank, random()) AS place FROM candidates
    ORDER BY place LIMIT greatest(0, v_room)
  ), locked AS MATERIALIZED (
    SELECT id FROM tasks WHERE id = ANY(ARRAY(SELECT id FROM picked)) AND stage = 'waiting' FOR NO KEY UPDATE SKIP LOCKED
  ), changed AS (
    UPDATE tasks SET stage = 'handed', held_until = p_held_until WHERE id = ANY(ARRAY(SELECT id FROM locked)) RETURNING id
  )
  SELECT
    coalesce((SELECT array_agg(id ORDER BY place) FROM changed JOIN picked USING (id)), '{}'),
    (SELECT account_id FROM accounts WHERE place = p_accounts_max)
    INTO handed, last_account;
  is_full := cardinality(handed) >= v_room;
END $$;
