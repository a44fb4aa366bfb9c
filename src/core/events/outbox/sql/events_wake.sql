-- Notifies the relays of all replicas that events wait. The notification is sent when the transaction commits, once for
-- all of its events.
CREATE OR REPLACE FUNCTION events_wake() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('events', '');
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER events_wake AFTER INSERT ON events FOR EACH STATEMENT EXECUTE FUNCTION events_wake();
