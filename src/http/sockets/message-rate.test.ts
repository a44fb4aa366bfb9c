import {
  ACCOUNT_RATE,
  MessageRate,
  REFUSED_BYTES_MAX,
  REFUSED_MESSAGES_MAX,
  SOCKET_RATE,
} from './socket.limits';

const { perSecondMax: MESSAGES_PER_SECOND_MAX, atOnceMax: MESSAGES_AT_ONCE_MAX } = SOCKET_RATE.messages;
const { perSecondMax: BYTES_PER_SECOND_MAX, atOnceMax: BYTES_AT_ONCE_MAX } = SOCKET_RATE.bytes;
const { perSecondMax: ACCOUNT_MESSAGES_PER_SECOND_MAX, atOnceMax: ACCOUNT_MESSAGES_AT_ONCE_MAX } =
  ACCOUNT_RATE.messages;
const { atOnceMax: ACCOUNT_BYTES_AT_ONCE_MAX } = ACCOUNT_RATE.bytes;

const SMALL = 100;
/** An eighth of what may come at once. */
const LARGE = BYTES_AT_ONCE_MAX / 8;

function taken(rate: MessageRate, messages: number, nowMs: number, bytes = SMALL): number {
  return Array.from({ length: messages }, () => rate.take(nowMs, bytes)).filter(Boolean).length;
}

describe('the rate of a socket', () => {
  it('takes so many at once, and then as many as the time brings', () => {
    const rate = new MessageRate(0);
    expect(taken(rate, 100, 0)).toBe(MESSAGES_AT_ONCE_MAX);
    expect(taken(rate, 100, 1000)).toBe(MESSAGES_PER_SECOND_MAX);
    expect(taken(rate, 100, 60_000)).toBe(MESSAGES_AT_ONCE_MAX);
  });

  it('is flooded by refused messages, which silence makes forgotten', () => {
    const rate = new MessageRate(0);
    taken(rate, MESSAGES_AT_ONCE_MAX + REFUSED_MESSAGES_MAX, 0);
    expect(rate.isFlooded).toBe(false);
    taken(rate, 1, 60_000);
    taken(rate, MESSAGES_AT_ONCE_MAX - 1 + REFUSED_MESSAGES_MAX, 60_000);
    expect(rate.isFlooded).toBe(false);
    taken(rate, 1, 60_000);
    expect(rate.isFlooded).toBe(true);
  });
});

describe('the bytes of a socket', () => {
  it('are taken as messages are: so many at once, and then as the time brings them', () => {
    const rate = new MessageRate(0);
    expect(taken(rate, 20, 0, LARGE)).toBe(8);
    expect(taken(rate, 1, 0)).toBe(0);
    expect(taken(rate, 20, 1000, LARGE)).toBe(BYTES_PER_SECOND_MAX / LARGE);
    expect(taken(rate, 100, 60_000)).toBe(MESSAGES_AT_ONCE_MAX);
  });

  it('flood it sooner than messages do where each has many', () => {
    const rate = new MessageRate(0);
    taken(rate, 8 + REFUSED_BYTES_MAX / LARGE, 0, LARGE);
    expect(rate.isFlooded).toBe(false);
    taken(rate, 1, 0, LARGE);
    expect(rate.isFlooded).toBe(true);
    taken(rate, 1, 60_000);
    expect(rate.isFlooded).toBe(false);
  });

  it('count for its account, too', () => {
    const account = new MessageRate(0, ACCOUNT_RATE);
    const sockets = Array.from({ length: 40 }, () => new MessageRate(0));
    const counts = sockets.map(
      (rate) => Array.from({ length: 8 }, () => rate.take(0, LARGE, account)).filter(Boolean).length,
    );
    expect(counts.reduce((sum, count) => sum + count)).toBe(ACCOUNT_BYTES_AT_ONCE_MAX / LARGE);
  });
});

describe('the rate of an account', () => {
  const SOCKETS = 100;
  /** What sockets send in turn that each send so many messages. */
  const sent = (sockets: MessageRate[], account: MessageRate, messagesOfEach: number, nowMs: number) =>
    Array.from({ length: messagesOfEach }, () => sockets.map((rate) => rate.take(nowMs, SMALL, account)))
      .flat()
      .filter(Boolean).length;

  it('takes of all its sockets so many at once, and then as many as the time brings', () => {
    const account = new MessageRate(0, ACCOUNT_RATE);
    const sockets = Array.from({ length: SOCKETS }, () => new MessageRate(0));
    expect(sent(sockets, account, 10, 0)).toBe(ACCOUNT_MESSAGES_AT_ONCE_MAX);
    expect(sent(sockets, account, 10, 1000)).toBe(ACCOUNT_MESSAGES_PER_SECOND_MAX);
    expect(sockets.some(({ isFlooded }) => isFlooded)).toBe(false);
  });

  it('leaves what the rate of a socket refuses to the others', () => {
    const account = new MessageRate(0, ACCOUNT_RATE);
    const [loud, other] = [new MessageRate(0), new MessageRate(0)];
    expect(sent([loud], account, 1000, 0)).toBe(MESSAGES_AT_ONCE_MAX);
    expect(sent([other], account, MESSAGES_AT_ONCE_MAX, 0)).toBe(MESSAGES_AT_ONCE_MAX);
  });

  it('floods sockets that keep their own rates, and is forgotten once the account keeps its own', () => {
    const account = new MessageRate(0, ACCOUNT_RATE);
    const sockets = Array.from({ length: SOCKETS }, () => new MessageRate(0));
    const [first] = sockets;
    let nowMs = 0;
    const second = (messagesOfEach: number) => sent(sockets, account, messagesOfEach, (nowMs += 1000));
    for (let seconds = 0; seconds < 4; seconds += 1) {
      second(MESSAGES_PER_SECOND_MAX);
    }
    expect(first?.isFlooded).toBe(false);
    nowMs += 60_000;
    second(1);
    for (let seconds = 0; seconds < 4; seconds += 1) {
      second(MESSAGES_PER_SECOND_MAX);
    }
    expect(first?.isFlooded).toBe(false);
    for (let seconds = 0; seconds < 4; seconds += 1) {
      second(MESSAGES_PER_SECOND_MAX);
    }
    expect(first?.isFlooded).toBe(true);
  });
});
