-- Adds to the bytes that an account stores, or takes away from them where p_bytes is negative. Where p_refuses is true and
-- the account would store more than it may, fails with the SQLSTATE AS001, so that the statement stores nothing.
--
-- An account's sum is divided over several rows. A transaction adds to the first that no other one holds, and makes another
-- where all are held, so nobody ever waits for a sum: neither calls of one account, nor a flush of many, nor a sweep.
--
-- Who has less than 64 MiB left stores one call after the other: a lock is held from here to the commit, behind which the sum
-- has all that was stored before. So that bound is exact. Who has more left passes it by no more than what its
-- calls that run at the same time store beyond 64 MiB. The lock is the last that a statement takes, so that it is no part of a
-- circle of those who wait.
CREATE OR REPLACE FUNCTION storage_add(p_account uuid, p_bytes bigint, p_refuses boolean) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
  v_slot bigint;
  v_left bigint;
BEGIN
  SELECT slot INTO v_slot FROM stored_bytes
    WHERE account_id = p_account ORDER BY slot LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED;
  IF FOUND THEN
    UPDATE stored_bytes SET bytes = bytes + p_bytes WHERE account_id = p_account AND slot = v_slot;
  ELSE
    INSERT INTO stored_bytes (account_id, bytes) VALUES (p_account, p_bytes);
  END IF;
  IF p_bytes <= 0 OR NOT p_refuses THEN
    RETURN;
  END IF;
  v_left := storage_left(p_account);
  IF v_left < 64 * 1024 * 1024 THEN
    PERFORM pg_advisory_xact_lock(hashtextextended(p_account::text, 7310002));
    v_left := storage_left(p_account);
  END IF;
  IF v_left < 0 THEN
    RAISE EXCEPTION 'the account stores as much as it may' USING ERRCODE = 'AS001';
  END IF;
END $$;
