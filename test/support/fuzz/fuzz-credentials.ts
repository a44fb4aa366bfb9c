import type { OperationPolicy } from '../../../src/contract/operation';
import type { SeededRandom } from '../seeded-random';
import type { FuzzAccount, FuzzWorld } from './fuzz-world';

export interface ShownCredential {
  headers: Record<string, string>;
  callers: FuzzAccount[];
}

const MALFORMED = [
  'Bearer',
  'Bearer ',
  'bearer x y',
  'Basic YTpi',
  'Bearer eyJhbGciOiJub25lIn0.eyJzdWIiOiJ4In0.',
  'Bearer ..',
  `Bearer ${'a'.repeat(5_000)}`,
  'Bearer null',
  'Digest username="x"',
];
/** These end tokens, change passwords or log in, so they are for accounts that may be lost. */
const ENDING = /^(logout|refreshToken|changePassword|login)$/;

/** A credential of any kind: mostly one that the operation takes, of an account that can pay. */
export function fuzzCredential(
  policy: OperationPolicy,
  world: FuzzWorld,
  random: SeededRandom,
): ShownCredential {
  const chance = random.next();
  const isEnding = ENDING.test(policy.operationId);
  const usual = isEnding
    ? random.pick(world.ending)
    : policy.role === 'admin'
      ? world.admin
      : random.pick(world.owners);
  if (chance < 0.84) {
    return shown(policy.auth, usual);
  }
  if (chance < 0.9) {
    return shown(
      policy.auth,
      random.pick(isEnding ? world.ending : [...world.poor, world.admin, ...world.ending]),
    );
  }
  if (chance < 0.92) {
    return { headers: {}, callers: [] };
  }
  if (chance < 0.94) {
    const broken = random.next() < 0.5 ? { authorization: random.pick(MALFORMED) } : brokenKey(usual, random);
    return { headers: broken, callers: [] };
  }
  if (chance < 0.955) {
    return shown(policy.auth === 'key' ? 'jwt' : 'key', usual);
  }
  if (chance < 0.965) {
    return { headers: { 'x-api-key': random.pick(world.revokedKeys) }, callers: [] };
  }
  if (chance < 0.98) {
    return shown(policy.auth, world.disabled);
  }
  return both(policy, usual, random.pick(isEnding ? world.ending : world.owners), random);
}

function shown(auth: OperationPolicy['auth'], account: FuzzAccount): ShownCredential {
  const headers: Record<string, string> =
    auth === 'key' ? { 'x-api-key': account.key } : { authorization: `Bearer ${account.token}` };
  return { headers, callers: [account] };
}

/** Credentials in more than one header, of one account or of two, or in another spelling. */
function both(
  policy: OperationPolicy,
  one: FuzzAccount,
  other: FuzzAccount,
  random: SeededRandom,
): ShownCredential {
  const secret = policy.auth === 'key' ? one.key : one.token;
  const forms: Record<string, string>[] = [
    { authorization: `Bearer ${secret}`, 'x-api-key': other.key },
    { authorization: `bearer ${secret}` },
    { authorization: `Bearer  ${secret} ` },
    { authorization: secret },
    { 'x-api-key': ` ${secret}` },
    { 'x-api-key': `${secret}, ${secret}` },
  ];
  return { headers: random.pick(forms), callers: [one, other] };
}

function brokenKey({ key }: FuzzAccount, random: SeededRandom): Record<string, string> {
  const forms = [
    key.slice(0, -1),
    `${key.slice(0, -2)}AA`,
    key.toUpperCase(),
    `svc_live_${key.slice(9)}`,
    '',
  ];
  return { 'x-api-key': random.pick(forms) };
}
