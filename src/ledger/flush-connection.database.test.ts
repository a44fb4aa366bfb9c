import { useLeaseLedger } from '../../test/support/ledger/lease-ledger';

describe('FlushConnection', () => {
  const { current, orderOf, settlementOf, together, counted } = useLeaseLedger();

  it('writes every text as it is, whatever marks the text of a row has', async () => {
    const texts = [
      ...['', ' ', ' a ', 'NULL', 'null', '\\N', '$1', 'é', '\u{1f600}', '\u2028', '\t', '\n', '\r\n'],
      ...[
        '"',
        '""',
        '\\',
        '\\\\',
        '\\"',
        '"\\',
        "'",
        ',',
        '(',
        ')',
        '(,)',
        '{}',
        '{"a,b"}',
        '"(1,2)"',
        '}\n{',
      ],
    ];
    const orders = texts.map((text) =>
      orderOf(current.holder, {
        ...{ operation: text, requestId: text, clientRequestId: text, price: text, priceVersion: text },
        amountNanoUsd: 1n,
      }),
    );
    await together(orders);
    await current.ledger.show(current.holder.accountId);
    await Promise.all(
      orders.map((order, index) =>
        current.ledger.settle(settlementOf(order, { model: texts[index], answer: null })),
      ),
    );
    const rows: object[] = await current.database.query(
      `SELECT ARRAY[operation, request_id, client_request_id, price, price_version, model] AS texts
       FROM calls WHERE account_id = $1 ORDER BY array_position($2::uuid[], id)`,
      [current.holder.accountId, orders.map(({ callId }) => callId)],
    );
    expect(rows).toEqual(texts.map((text) => ({ texts: Array<string>(6).fill(text) })));
    expect(await counted('ledger_splits_total')).toBe(0);
  });

  it('charges on after a migration has given calls another column, and after that is gone', async () => {
    const settleTwo = async (): Promise<void> => {
      const orders = [orderOf(current.holder), orderOf(current.holder)];
      await together(orders);
      const settled = orders.map((order) => current.ledger.settle(settlementOf(order)));
      expect(await Promise.all(settled)).toMatchObject(orders.map(() => ({ verdict: 'settled' })));
    };
    await settleTwo();
    await current.database.query('ALTER TABLE calls ADD COLUMN of_a_later_build text');
    await settleTwo();
    await current.database.query('ALTER TABLE calls DROP COLUMN of_a_later_build');
    await settleTwo();
    expect(await counted('ledger_splits_total')).toBe(0);
    expect(await counted('ledger_lost_connections_total')).toBe(0);
  });
});
