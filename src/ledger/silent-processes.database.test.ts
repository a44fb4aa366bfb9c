import { useLeaseLedger, type Holder } from '../../test/support/ledger/lease-ledger';
import { openLedger, type OpenLedger } from '../../test/support/ledger/open-ledger';
import { newId } from '../runtime/ids';

describe('a process that is not heard of', () => {
  const { current, newHolder, orderOf, expectReserved } = useLeaseLedger();
  const others: OpenLedger[] = [];

  afterEach(async () => {
    for (const other of others.splice(0)) {
      await other.close();
    }
  });

  /** @returns the id of one that was lent what a call needs and has left without giving it back */
  const silent = async (by: Holder): Promise<string> => {
    const other = await openLedger(current.testDatabase.url);
    others.push(other);
    await other.ledger.reserve(orderOf(by));
    const { id } = other.register;
    await other.register.onApplicationShutdown();
    return id;
  };
  const deadOf = async (ids: readonly string[]): Promise<string[]> => {
    const rows: { id: string }[] = await current.database.query(
      'SELECT id FROM processes WHERE id = ANY($1) AND is_dead',
      [ids],
    );
    return rows.map(({ id }) => id);
  };

  it('is ended although another one cannot be', async () => {
    const other = await newHolder();
    const [stuck, free] = [await silent(current.holder), await silent(other)];
    // What its leases are not contained in the balance of cannot be taken from there.
    const bogus = newId();
    await current.database.query(
      'INSERT INTO leases (process_id, id, account_id, amount_nano, is_exact) VALUES ($1, $2, $3, 10000, true)',
      [stuck, bogus, current.holder.accountId],
    );
    await current.ledger.sweep(current.clock.now());
    expect(await deadOf([stuck, free])).toEqual([free]);
    await expectReserved(other, 0n);
    await current.database.query('DELETE FROM leases WHERE id = $1', [bogus]);
    await current.ledger.sweep(current.clock.now());
    expect(await deadOf([stuck])).toEqual([stuck]);
  });

  it.each([
    [4, null],
    [6, '0'],
  ])('and was told %i seconds ago to read everything anew is ended after five', async (seconds, ended) => {
    const id = newId();
    await current.database.query(
      `INSERT INTO processes (id, heartbeat_at, valid_until, must_reread)
       VALUES ($1, clock_timestamp() - $2 * interval '1 second', clock_timestamp() - interval '1 second', true)`,
      [id, seconds],
    );
    expect(await current.database.query("SELECT ledger_fence($1, '0') AS ended", [id])).toEqual([{ ended }]);
    expect(await deadOf([id])).toEqual(ended === null ? [] : [id]);
  });
});
