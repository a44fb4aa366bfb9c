-- Lends a process amounts of balances and of keys' limits, and takes back what it gives. p_leases is a JSON array with a
-- row for each lease: what it gives back, or what calls that wait need beyond the room that it has, and how much more it would
-- like (slack). p_keys are their keys. A lease is contained in the balance and in the spent sums of its key before anything is spent from it. That is
-- why no balance and no limit can be passed, whatever the process decides in memory, and whatever others do meanwhile.
--
-- Grants what is needed as far as there is room, to rows and calls in their order, and beyond that at most an eighth of the room
-- that is left, and nothing where an eighth does not pay for one call (largest): where room is tight, a lease is exact, and
-- has only what its calls hold. The only lease of an account gets all of the room, which whoever comes next has given back. Before it counts a new day, or says that there is no room, others have to give back what
-- they do not use: is_lent says that some have, and they are notified (ledger_recall).
--
-- Where may_end is true, the key, its secret and the account are judged anew. What a call costs beyond its reservation is
-- taken without that: the call was let in before.
--
-- Where there is only one lease and much room, ledger_lend_ample decides, by the same rules.
--
-- Its caller, ledger_flush, has locked the balances. Locks keys in the order of their ids.
--
-- Returns for each row that takes: its item, the verdict ('lent', 'account_closed', 'key_invalid', 'key_expired', or 'stale'
-- where the key has begun another day or other sums than the lease is part of, so that a new lease has to be taken), the
-- amount of the lease now, whether it is exact, what balance and limits have beside it, until when the process may decide by
-- all this (ends_at), and is_lent. Null where no row takes.
CREATE OR REPLACE FUNCTION ledger_lend(p_process uuid, p_leases json, p_keys uuid[]) RETURNS json LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  v_lent json;
  v_recalled uuid[];
  v_returned uuid[];
BEGIN
  PERFORM FROM access_keys WHERE id = ANY(p_keys) ORDER BY id FOR NO KEY UPDATE;
  IF cardinality(p_keys) = 1 THEN
    v_lent := ledger_lend_ample(p_process, p_leases);
    IF v_lent IS NOT NULL THEN
      RETURN v_lent;
    END IF;
  END IF;

  WITH asked AS MATERIALIZED (
    -- The leases of one key are judged by one time, so that they are part of one day. The process comes with each row, so that its
    -- leases are looked up one by one: where the plan is made they may be so few that it would be kept to read all of them.
    SELECT lease.*, p_process AS process, to_timestamp(max(lease.now) OVER (PARTITION BY lease.key) / 1000.0) AS asked_at, decode(lease.secret, 'hex') AS secret_hash
    FROM json_to_recordset(p_leases) AS lease (item integer, id uuid, account uuid, key uuid, secret text, takes boolean,
      may_end boolean, needs bigint[], room bigint,
      reserved bigint, slack bigint, largest bigint, give bigint, is_exact boolean, is_over boolean, tells boolean,
      now bigint)
  ), returned AS MATERIALIZED (
    -- What a lease gives back goes to the day and the month in which it was taken, if the key still counts them.
    SELECT asked.account, asked.key, back.give,
      CASE WHEN held.spent_day = k.spent_day AND held.spent_epoch = k.spent_epoch THEN back.give ELSE 0 END AS of_day,
      CASE WHEN held.spent_month = k.spent_month AND held.spent_epoch = k.spent_epoch THEN back.give ELSE 0 END AS of_month
    FROM asked
    JOIN leases AS held ON held.process_id = asked.process AND held.id = asked.id AND held.account_id = asked.account
    CROSS JOIN LATERAL (SELECT CASE WHEN asked.is_over THEN held.amount_nano ELSE asked.give END AS give) AS back
    LEFT JOIN access_keys AS k ON k.id = asked.key AND k.account_id = asked.account
    WHERE back.give > 0
  ), judged AS (
    -- A call above the limit for a single one is refused, and needs nothing.
    SELECT asked.*,
      CASE WHEN asked.reserved IS NULL
        THEN ARRAY(SELECT need FROM unnest(asked.needs) WITH ORDINALITY AS asked (need, place)
          WHERE k.per_request_limit_nano IS NULL OR need <= k.per_request_limit_nano ORDER BY place)
        ELSE ARRAY[greatest(0, least(asked.needs[1], k.per_request_limit_nano - asked.reserved))] END AS usable,
      k.spent_epoch, k.timezone, k.expires_at, k.per_request_limit_nano, k.daily_limit_nano,
      k.monthly_limit_nano, local.day, local.month, replaced.valid_until,
      balance.balance_nano - balance.reserved_nano
        + coalesce((SELECT sum(give) FROM returned WHERE returned.account = asked.account), 0)::bigint AS available,
      CASE WHEN local.day = k.spent_day THEN k.day_spent_nano
        - coalesce((SELECT sum(of_day) FROM returned WHERE returned.key = k.id), 0)::bigint ELSE 0 END AS day_spent,
      CASE WHEN local.month = k.spent_month THEN k.month_spent_nano
        - coalesce((SELECT sum(of_month) FROM returned WHERE returned.key = k.id), 0)::bigint ELSE 0 END AS month_spent,
      CASE
        WHEN asked.may_end AND balance.is_open IS NOT TRUE THEN 'account_closed'
        WHEN asked.key IS NULL THEN 'lent'
        WHEN k.id IS NULL THEN 'key_invalid'
        WHEN asked.may_end AND (NOT k.is_active OR (asked.secret_hash <> k.secret_hash AND replaced.valid_until IS NULL))
          THEN 'key_invalid'
        WHEN asked.may_end AND k.expires_at <= asked.asked_at THEN 'key_expired'
        WHEN held.id IS NOT NULL AND (held.spent_day, held.spent_month, held.spent_epoch)
          IS DISTINCT FROM (local.day, local.month, k.spent_epoch) THEN 'stale'
        ELSE 'lent'
      END AS verdict,
      -- As EXISTS it could be made a hash of everybody's leases.
      local.day > k.spent_day AND coalesce((
        SELECT true FROM leases AS other WHERE other.account_id = asked.account AND other.key_id = asked.key
          AND other.process_id <> p_process AND NOT other.is_exact AND other.amount_nano > 0 LIMIT 1), false) AS must_wait
    FROM asked
    LEFT JOIN leases AS held
      ON held.process_id = asked.process AND held.id = asked.id AND held.account_id = asked.account
    LEFT JOIN balances AS balance ON balance.account_id = asked.account
    LEFT JOIN access_keys AS k ON k.id = asked.key AND k.account_id = asked.account
    LEFT JOIN replaced_secrets AS replaced ON replaced.secret_hash = asked.secret_hash AND replaced.key_id = asked.key
      AND replaced.valid_until > asked.asked_at AND asked.secret_hash <> k.secret_hash
    -- Without greatest(), a process whose time is behind would begin the day before anew, with nothing spent.
    LEFT JOIN LATERAL (
      SELECT greatest(k.spent_day, at::date) AS day, greatest(k.spent_month, date_trunc('month', at)::date) AS month
      FROM (SELECT asked.asked_at AT TIME ZONE k.timezone AS at) AS clock
    ) AS local ON true
    WHERE asked.takes
  ), roomy AS (
    -- The room of a key is first for what is needed of it. It has none where it waits, and none was judged to be valid.
    SELECT *, greatest(0, lacks) AS need,
      CASE WHEN verdict <> 'lent' OR must_wait THEN 0 ELSE least(9223372036854775807 / 4,
      daily_limit_nano - day_spent, monthly_limit_nano - month_spent) END AS key_room
    FROM judged, LATERAL (SELECT coalesce(sum(need), 0) - room AS lacks FROM unnest(usable) AS need) AS beyond_room
  ), left_of_key AS (
    SELECT *, key_room - (sum(need) OVER (PARTITION BY account, key ORDER BY item) - need) AS key_left,
      count(*) OVER (PARTITION BY account) AS rows FROM roomy
  ), keyed AS (
    SELECT *, (CASE WHEN need <= key_left THEN need WHEN reserved IS NOT NULL THEN greatest(0, key_left)
      ELSE ledger_fitting(usable, room, key_left) END)::bigint AS of_key FROM left_of_key
  ), left_of_account AS (
    SELECT *, available - (sum(of_key) OVER (PARTITION BY account ORDER BY item) - of_key) AS account_left FROM keyed
  ), granted AS (
    SELECT *, (CASE WHEN of_key <= account_left THEN of_key WHEN reserved IS NOT NULL THEN greatest(0, account_left)
      ELSE ledger_fitting(usable, room, account_left) END)::bigint AS grant_nano FROM left_of_account
  ), spared AS (
    SELECT *, sum(grant_nano) OVER by_account AS given, sum(grant_nano) OVER (PARTITION BY account, key) AS given_of_key,
      bool_and(grant_nano = need) OVER by_account AS is_easy,
      least(available - sum(grant_nano) OVER by_account, key_room - sum(grant_nano) OVER (PARTITION BY account, key)) AS spare
    FROM granted WINDOW by_account AS (PARTITION BY account)
  ), shared AS (
    SELECT *, floor(least(slack, CASE
      WHEN spare < 8 * slack AND rows = 1 AND NOT coalesce((
        SELECT true FROM leases AS other WHERE other.account_id = account AND other.id <> spared.id LIMIT 1), false) THEN spare
      ELSE spare / (8 * rows) END))::bigint AS extra FROM spared
  ), decided AS MATERIALIZED (
    -- A call above the limit for a single one is not waited for, where nobody else's leases can change what is said of it.
    SELECT *, greatest(0, (SELECT coalesce(sum(need), 0) FROM unnest(needs) AS need WHERE reserved IS NOT NULL OR NOT coalesce(
        need > per_request_limit_nano AND need <= available - given AND per_request_limit_nano <= key_room - given_of_key, false))
        - room) AS wanted,
      grant_nano + CASE WHEN has_extra THEN extra ELSE 0 END AS lent
    FROM shared, LATERAL (
      SELECT is_easy AND extra >= largest AND extra > 0 AND NOT must_wait AND (usable <> '{}' OR needs = '{}') AS has_extra
    ) AS beyond
  ), moved AS (
    UPDATE balances AS balance SET reserved_nano = balance.reserved_nano + total.amount
    FROM (
      SELECT account, sum(amount)::bigint AS amount FROM (
        SELECT account, lent AS amount FROM decided UNION ALL SELECT account, -give FROM returned
      ) AS parts GROUP BY account HAVING sum(amount) <> 0
    ) AS total
    WHERE balance.account_id = total.account
  ), counted AS (
    -- Calls that are all refused begin no new day or month, nor does a cost beyond a reservation for which there is no room: a change of zone would forget what was spent in the one before.
    -- Takers and givers are summed together: as a join the sums of the ones would be made anew for each key of the others.
    UPDATE access_keys AS k SET
      spent_day = coalesce(total.day, k.spent_day),
      day_spent_nano = coalesce(total.day_spent, k.day_spent_nano - total.of_day),
      spent_month = coalesce(total.month, k.spent_month),
      month_spent_nano = coalesce(total.month_spent, k.month_spent_nano - total.of_month),
      last_used_at = coalesce(total.asked_at, k.last_used_at)
    FROM (
      SELECT account, key, max(day) AS day, (max(day_spent) + sum(lent))::bigint AS day_spent, max(month) AS month,
        (max(month_spent) + sum(lent))::bigint AS month_spent, max(asked_at) AS asked_at,
        coalesce(sum(of_day), 0)::bigint AS of_day, coalesce(sum(of_month), 0)::bigint AS of_month
      FROM (
        SELECT account, key, day, day_spent, month, month_spent, lent, asked_at, NULL::bigint AS of_day, NULL::bigint AS of_month
        FROM decided WHERE verdict = 'lent' AND NOT must_wait AND (lent > 0 OR need = 0 AND usable <> '{}' AND reserved IS NULL)
        UNION ALL SELECT account, key, NULL, NULL, NULL, NULL, NULL, NULL, of_day, of_month FROM returned
      ) AS parts GROUP BY account, key
    ) AS total
    WHERE k.id = total.key AND k.account_id = total.account AND (total.asked_at IS NOT NULL OR total.of_day > 0 OR total.of_month > 0)
  ), leased AS (
    INSERT INTO leases AS held (process_id, id, account_id, key_id, amount_nano, is_exact, spent_day, spent_month, spent_epoch)
    -- Something of it is unused also where it had more than its calls need, or where it waits with a part of what one needs.
    SELECT p_process, id, account, key, lent,
      NOT has_extra AND lacks >= 0 AND (grant_nano >= need OR (room <= 0 AND reserved IS NULL)), day, month, spent_epoch
    FROM decided WHERE verdict = 'lent' AND NOT must_wait
    ON CONFLICT (process_id, id) DO UPDATE SET
      amount_nano = held.amount_nano + excluded.amount_nano,
      is_exact = CASE WHEN excluded.amount_nano = 0 AND excluded.is_exact THEN held.is_exact ELSE excluded.is_exact END
    RETURNING id, amount_nano, is_exact
  ), gave AS (
    UPDATE leases AS held SET amount_nano = held.amount_nano - asked.give, is_exact = held.is_exact OR asked.is_exact
    FROM asked WHERE NOT asked.takes AND NOT asked.is_over AND held.process_id = asked.process AND held.id = asked.id
      AND held.account_id = asked.account
  ), ended AS (
    DELETE FROM leases AS held USING asked WHERE asked.is_over AND held.process_id = asked.process AND held.id = asked.id
      AND held.account_id = asked.account
  ), answered AS (
    SELECT decided.*, leased.amount_nano AS amount, leased.is_exact AS now_exact, EXISTS (
      SELECT FROM leases AS other JOIN processes AS holder ON holder.id = other.process_id
      WHERE (must_wait OR grant_nano < wanted) AND verdict = 'lent' AND other.account_id = account
        AND (other.key_id = key OR grant_nano < of_key OR available < wanted)
        AND other.process_id <> p_process AND other.amount_nano > 0
        AND (NOT other.is_exact OR holder.valid_until < clock_timestamp())) AS is_lent
    FROM decided LEFT JOIN leased ON leased.id = decided.id
  )
  SELECT json_agg(json_build_object(
      'item', item, 'verdict', verdict, 'amount', amount::text, 'is_exact', now_exact, 'is_lent', is_lent,
      'tells_limit', (NOT is_lent AND grant_nano < need AND EXISTS (SELECT FROM event_subscriptions
        WHERE account_id = account AND event_types & event_bit('usage.limit_exceeded') <> 0)),
      'available', (available - total_lent)::text,
      'day_spent', (day_spent + key_lent)::text, 'month_spent', (month_spent + key_lent)::text,
      'per_request_limit', per_request_limit_nano::text, 'daily_limit', daily_limit_nano::text,
      'monthly_limit', monthly_limit_nano::text, 'day', day, 'month', month,
      'day_ends', round(extract(epoch FROM day_starts_at(day + 1, timezone)) * 1000),
      'month_ends', round(extract(epoch FROM day_starts_at((month + interval '1 month')::date, timezone)) * 1000),
      'ends_at', round(extract(epoch FROM least(day_starts_at(day + 1, timezone), expires_at, valid_until)) * 1000))),
    array_agg(DISTINCT account) FILTER (WHERE is_lent), (SELECT array_agg(account) FROM asked WHERE tells)
  INTO v_lent, v_recalled, v_returned FROM (
    SELECT *, (sum(lent) OVER (PARTITION BY account))::bigint AS total_lent,
      (sum(lent) OVER (PARTITION BY account, key))::bigint AS key_lent
    FROM answered
  ) AS summed;
  PERFORM pg_notify('ledger_recall', account::text) FROM unnest(v_recalled) AS account;
  PERFORM pg_notify('ledger_returned', account::text) FROM unnest(v_returned) AS account;
  RETURN v_lent;
END $$;
