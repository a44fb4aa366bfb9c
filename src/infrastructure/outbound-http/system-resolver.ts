import { Resolver } from 'node:dns/promises';
import { AddressResolver } from './address-resolver';

/** Together less than the time of a whole delivery, so that a name server that is away leaves time for the next. */
const QUERY_TIMEOUT_MS = 1000;
const QUERIES_MAX = 2;

/**
 * Asks the name servers of the system. It does not read /etc/hosts, whose names are inner ones, and does not use
 * `getaddrinfo`, which holds a thread of the pool that password hashing needs: slow name servers of customers could take
 * them all.
 */
export class SystemResolver extends AddressResolver {
  override async resolve(host: string): Promise<string[]> {
    // A new one reads the name servers anew, which may have changed since the start.
    const resolver = new Resolver({ timeout: QUERY_TIMEOUT_MS, tries: QUERIES_MAX });
    const [v4, v6] = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
    if (v4.status === 'rejected' && v6.status === 'rejected') {
      throw v4.reason;
    }
    return [v4, v6].flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  }
}
