-- Writes down how attempts ended: on the deliveries, their webhooks and slow_receivers, in one transaction. An outcome
-- counts only if its attempt is the next of its delivery, so that a job that ran twice is recorded once.
--
-- An automatic attempt that failed is followed by the next p_delays_ms[n] after its end; after the last of its attempts
-- the delivery is abandoned. A manual one leaves the schedule as it was. A webhook that has failed for
-- p_failing_seconds_max without one success is switched off, and at most p_ended_max of its waiting deliveries end here;
-- the others end when their time comes (deliveries_load). An outcome with an offReason switches the webhook off at once.
-- Neither tests count for either, nor failures at a URL that the webhook has no more.
--
-- Each outcome: {id, attempt, startedAt, endedAt, durationMs, responseStatus, responseBody, errorMessage (null for a
-- success), url, receiver, offReason (null for none), isSlow (null for neither)}.
--
-- Locks the webhooks, then the deliveries, both in the order of their ids; in the end the subscriptions of accounts. The
-- owner's changes lock a webhook before its deliveries too. Locked here only when it comes to change, a webhook would be
-- waited for with deliveries in hand that its owner's change waits for.
--
-- Returns for each outcome that counts: success, failed (to be tried again, or a manual attempt) or abandoned.
CREATE OR REPLACE FUNCTION deliveries_record(
  p_outcomes json,
  p_delays_ms integer[],
  p_failing_seconds_max integer,
  p_ended_max integer,
  p_disabled_text text,
  p_switched_off_text text
) RETURNS TABLE (delivery_id uuid, result text) LANGUAGE plpgsql AS $$
DECLARE
  o record;
  d deliveries;
  v_is_test boolean;
  v_counts boolean;
  v_is_active boolean;
  v_receiver text;
  v_url text;
  v_failing_since timestamptz;
  v_scheduled timestamptz;
  v_off uuid[] := '{}';
  v_webhook uuid;
  v_account uuid;
BEGIN
  PERFORM FROM webhooks w WHERE w.id IN (
    SELECT known.webhook_id FROM json_to_recordset(p_outcomes) AS given(id uuid) JOIN deliveries known USING (id)
  ) ORDER BY w.id FOR NO KEY UPDATE;

  FOR o IN
    SELECT given.*, known.webhook_id FROM json_to_recordset(p_outcomes) AS given(
      id uuid, attempt integer, "startedAt" text, "endedAt" timestamptz, "durationMs" integer,
      "responseStatus" integer, "responseBody" text, "errorMessage" text, url text, receiver text, "offReason" text
    ) JOIN deliveries known USING (id) ORDER BY known.webhook_id, known.id
  LOOP
    SELECT * INTO d FROM deliveries
      WHERE id = o.id AND attempt_count = o.attempt - 1 AND stage IN ('handed', 'due') FOR NO KEY UPDATE;
    CONTINUE WHEN NOT FOUND;
    SELECT is_active, failing_since, w.receiver, w.url INTO v_is_active, v_failing_since, v_receiver, v_url
      FROM webhooks w WHERE id = d.webhook_id;
    v_is_test := EXISTS (SELECT FROM events WHERE id = d.event_id AND webhook_id IS NOT NULL);
    delivery_id := d.id;

    IF o."errorMessage" IS NULL THEN
      result := 'success';
      v_scheduled := NULL;
      UPDATE webhooks SET last_delivered_at = o."endedAt", failing_since = CASE WHEN v_is_test THEN failing_since END
        WHERE id = d.webhook_id AND (last_delivered_at IS NULL OR last_delivered_at <= o."endedAt" - interval '1 second'
          OR (failing_since IS NOT NULL AND NOT v_is_test));
    ELSE
      v_counts := NOT v_is_test AND o.url = v_url;
      IF v_counts AND v_failing_since IS NULL THEN
        UPDATE webhooks SET failing_since = o."endedAt" WHERE id = d.webhook_id AND failing_since IS NULL;
      END IF;
      IF v_counts AND v_is_active AND (o."offReason" IS NOT NULL
        OR v_failing_since <= o."endedAt" - make_interval(secs => p_failing_seconds_max)) THEN
        UPDATE webhooks SET is_active = false, disabled_reason = coalesce(o."offReason", p_disabled_text)
          WHERE id = d.webhook_id;
        v_off := v_off || d.webhook_id;
        v_is_active := false;
      END IF;
      v_scheduled := CASE
        WHEN NOT v_is_active AND NOT v_is_test THEN NULL
        WHEN d.is_manual THEN d.scheduled_at
        WHEN d.automatic_attempts + 1 < d.attempts_max
          THEN o."endedAt" + make_interval(secs => p_delays_ms[d.automatic_attempts + 2] / 1000.0)
      END;
      result := CASE WHEN v_scheduled IS NULL AND d.abandoned_at IS NULL THEN 'abandoned' ELSE 'failed' END;
    END IF;

    UPDATE deliveries SET
      stage = CASE WHEN v_scheduled IS NULL THEN 'over' ELSE 'later' END,
      status = CASE WHEN result = 'success' THEN 'success' ELSE 'failed' END,
      -- The next attempt goes to where the webhook is now.
      url = o.url, receiver = v_receiver,
      attempt_count = d.attempt_count + 1,
      automatic_attempts = d.automatic_attempts + CASE WHEN d.is_manual THEN 0 ELSE 1 END,
      is_manual = false,
      -- The last 20 are kept.
      attempts = CASE WHEN jsonb_array_length(d.attempts) < 20 THEN d.attempts ELSE d.attempts - 0 END
        || jsonb_build_array(jsonb_build_object('attempted_at', o."startedAt", 'duration_ms', o."durationMs",
          'response_status', o."responseStatus", 'response_body', o."responseBody", 'error_message', o."errorMessage")),
      response_status = o."responseStatus", response_body = o."responseBody", error_message = o."errorMessage",
      next_attempt_at = v_scheduled, scheduled_at = v_scheduled, handed_until = NULL, claimed_until = NULL,
      delivered_at = CASE WHEN result = 'success' THEN o."endedAt" END,
      failed_at = CASE WHEN result <> 'success' THEN o."endedAt" END,
      abandoned_at = CASE WHEN result <> 'success' AND v_scheduled IS NULL
        THEN coalesce(d.abandoned_at, o."endedAt") END
    WHERE id = d.id;
    RETURN NEXT;
  END LOOP;

  FOR v_webhook, v_account IN SELECT id, account_id FROM webhooks WHERE id = ANY (v_off) ORDER BY account_id LOOP
    PERFORM webhook_subscriptions(v_account);
    PERFORM deliveries_end(ARRAY(
      SELECT id FROM deliveries WHERE webhook_id = v_webhook AND stage IN ('due', 'later') LIMIT p_ended_max
    ), p_switched_off_text, (SELECT max("endedAt") FROM json_to_recordset(p_outcomes) AS given("endedAt" timestamptz)));
  END LOOP;

  -- Rows are written only where that changes something: a receiver is slow or not for very many attempts.
  INSERT INTO slow_receivers (receiver, since)
    SELECT receiver, max("endedAt") FROM json_to_recordset(p_outcomes)
      AS given(receiver text, "endedAt" timestamptz, "isSlow" boolean)
    GROUP BY receiver HAVING bool_or("isSlow") ORDER BY receiver
    ON CONFLICT (receiver) DO NOTHING;
  DELETE FROM slow_receivers WHERE receiver IN (
    SELECT receiver FROM slow_receivers WHERE receiver IN (
      SELECT receiver FROM json_to_recordset(p_outcomes) AS given(receiver text, "isSlow" boolean)
      GROUP BY receiver HAVING NOT bool_or("isSlow")
    ) ORDER BY receiver FOR UPDATE
  );
END $$;
