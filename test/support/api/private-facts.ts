import { hostname, networkInterfaces, userInfo } from 'node:os';
import { Configuration } from '../../../src/config/configuration';
import type { World } from './world';

/** Fails where an answer tells where the service runs, what it talks to, or anything of another account. */
export function expectNothingPrivate(world: World, text: string): void {
  const told = privateFacts(world).filter((fact) => text.includes(fact));
  expect(told).toEqual([]);
  // Whatever looks like an address, a URL or a path, whether or not it is one of those.
  expect(text.match(/\d+\.\d+\.\d+\.\d+|\w+:\/\/|"\/|[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-/g) ?? []).toEqual([]);
}

/** Every text that no answer may have in it. */
function privateFacts({ service, stranger, admin, owner, ip }: World): string[] {
  const { dataFolder, upstreams } = service.app.get(Configuration);
  const addresses = Object.values(networkInterfaces()).flatMap((all) =>
    (all ?? []).map(({ address }) => address),
  );
  const database = new URL(service.databaseUrl);
  const ofUpstreams = upstreams.flatMap(({ baseUrl, apiKey }) => [
    baseUrl,
    new URL(baseUrl).host,
    apiKey ?? baseUrl,
  ]);
  const ofAccounts = [stranger, admin, owner].flatMap(({ id, email, keyId, key, token }) => [
    id,
    email,
    keyId,
    key,
    token,
  ]);
  return [
    ...[hostname(), `${userInfo().homedir}/`, process.cwd(), dataFolder, `"${process.pid}"`, ip],
    ...addresses.filter((address) => address.length > 4),
    ...[database.host, service.databaseUrl],
    ...ofUpstreams,
    ...ofAccounts,
  ];
}
