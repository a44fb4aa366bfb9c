-- Notifies the relays of all replicas that events wait. The notification is sent when the transaction commits, once for
-- all of its events. A statement that wrote none sends nothing: commits that notify wait for each other.
CREATE OR REPLACE FUNCTION events_wake() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM new_events) THEN
    PERFORM pg_notify('events', '');
  END IF;
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER events_wake
  AFTER INSERT ON events REFERENCING NEW TABLE AS new_events
  FOR EACH STATEMENT EXECUTE FUNCTION events_wake();
