const MASK_64 = (1n << 64n) - 1n;
/** The seed of Postgres for partitions (HASH_PARTITION_SEED), and what it adds where it combines hashes (hash_combine64). */
const SEED_HIGH = 0x7a5b2236;
const SEED_LOW = 0x7996dcfd;
const COMBINED = 0x49a0f4dd15e5a8e3n;
const UUID_WORDS = 4;
/** What Postgres begins the hash of 16 bytes with: the golden ratio, the length and a number of its own. */
const BEGINNING = (0x9e3779b9 + 16 + 3_923_095) | 0;

/** Postgres's arithmetic (hash_bytes_extended, hash_combine64), fixed, for partitions could not be restored otherwise. */
function partitionOfUuid(uuid: string, count: number): number {
  const digits = uuid.replaceAll('-', '');
  const [first = 0, second = 0, third = 0, last = 0] = Array.from({ length: UUID_WORDS }, (_, word) =>
    swapped(Number.parseInt(digits.slice(8 * word, 8 * word + 8), 16)),
  );
  const seeded = mixed([(BEGINNING + SEED_HIGH) | 0, (BEGINNING + SEED_LOW) | 0, BEGINNING]);
  const [a, b, c] = mixed([(seeded[0] + first) | 0, (seeded[1] + second) | 0, (seeded[2] + third) | 0]);
  const [high, low] = finished([(a + last) | 0, b, c]);
  const hash = (BigInt(high >>> 0) << 32n) | BigInt(low >>> 0);
  return Number(((hash + COMBINED) & MASK_64) % BigInt(count));
}

type State = [a: number, b: number, c: number];

function swapped(word: number): number {
  return (
    ((word & 0xff) << 24) | ((word & 0xff00) << 8) | ((word >>> 8) & 0xff00) | ((word >>> 24) & 0xff) | 0
  );
}

function rotated(word: number, bits: number): number {
  return (word << bits) | (word >>> (32 - bits));
}

/** One round of Bob Jenkins' lookup3, as Postgres has it. */
function mixed([a, b, c]: State): State {
  a = ((a - c) | 0) ^ rotated(c, 4);
  c = (c + b) | 0;
  b = ((b - a) | 0) ^ rotated(a, 6);
  a = (a + c) | 0;
  c = ((c - b) | 0) ^ rotated(b, 8);
  b = (b + a) | 0;
  a = ((a - c) | 0) ^ rotated(c, 16);
  c = (c + b) | 0;
  b = ((b - a) | 0) ^ rotated(a, 19);
  a = (a + c) | 0;
  c = ((c - b) | 0) ^ rotated(b, 4);
  b = (b + a) | 0;
  return [a, b, c];
}

/** The last round of lookup3. Returns its words b and c. */
function finished([a, b, c]: State): [high: number, low: number] {
  c = ((c ^ b) - rotated(b, 14)) | 0;
  a = ((a ^ c) - rotated(c, 11)) | 0;
  b = ((b ^ a) - rotated(a, 25)) | 0;
  c = ((c ^ b) - rotated(b, 16)) | 0;
  a = ((a ^ c) - rotated(c, 4)) | 0;
  b = ((b ^ a) - rotated(a, 14)) | 0;
  c = ((c ^ b) - rotated(b, 24)) | 0;
  return [b, c];
}

/** The partition of an account in tables of `count` parts (docs/scaling.md). A statement or commit stays in one. */
export class AccountShards {
  constructor(readonly count: number) {}

  of(accountId: string): number {
    return this.count === 1 ? 0 : partitionOfUuid(accountId, this.count);
  }

  split<Item extends { accountId: string }>(items: readonly Item[]): Item[][] {
    if (this.count === 1) {
      return items.length > 0 ? [[...items]] : [];
    }
    const shards = new Map<number, Item[]>();
    for (const item of items) {
      const shard = this.of(item.accountId);
      const together = shards.get(shard);
      if (together) {
        together.push(item);
      } else {
        shards.set(shard, [item]);
      }
    }
    return [...shards.values()];
  }
}
