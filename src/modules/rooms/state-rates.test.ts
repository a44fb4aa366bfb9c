import {
  STATE_BYTES_AT_ONCE_MAX,
  STATE_BYTES_PER_SECOND_MAX,
  StateRates,
  StatesTooFast,
} from './room-sessions';

const STATE_BYTES = 256 * 1024;

/** How many updates are taken that each read and write a state, of 1,000 at one moment. */
function taken(rates: StateRates, accountId: string, nowMs: number): number {
  for (let updates = 0; updates < 1000; updates += 1) {
    try {
      rates.admit(accountId, nowMs);
    } catch (error) {
      expect(error).toBeInstanceOf(StatesTooFast);
      return updates;
    }
    rates.charge(accountId, 2 * STATE_BYTES, nowMs);
  }
  return 1000;
}

describe('the rate of states', () => {
  it('takes so many bytes at once, and then as many as the time brings, of each account', () => {
    const rates = new StateRates();
    // One more than fits: how large its state is is not known before it is read.
    expect(taken(rates, 'a', 5)).toBe(STATE_BYTES_AT_ONCE_MAX / STATE_BYTES / 2 + 1);
    expect(taken(rates, 'b', 5)).toBe(STATE_BYTES_AT_ONCE_MAX / STATE_BYTES / 2 + 1);
    expect(taken(rates, 'a', 1005)).toBe(STATE_BYTES_PER_SECOND_MAX / STATE_BYTES / 2);
    expect(taken(rates, 'a', 60_000)).toBe(STATE_BYTES_AT_ONCE_MAX / STATE_BYTES / 2 + 1);
  });

  it('says when the next is taken', () => {
    const rates = new StateRates();
    rates.charge('a', STATE_BYTES_AT_ONCE_MAX + STATE_BYTES_PER_SECOND_MAX * 1.5, 0);
    const refusal = (nowMs: number) => {
      try {
        rates.admit('a', nowMs);
        return null;
      } catch (error) {
        return (error as StatesTooFast).options.fields;
      }
    };
    expect([refusal(0), refusal(1000), refusal(1500)]).toEqual([
      { retry_after: 2 },
      { retry_after: 1 },
      null,
    ]);
  });

  it('forgets accounts whose bucket is full', () => {
    const rates = new StateRates();
    for (let account = 0; account < 100; account += 1) {
      rates.charge(`a${account}`, STATE_BYTES, account);
    }
    rates.charge('last', STATE_BYTES, 10_000);
    expect(rates.accountCount).toBe(1);
  });
});
