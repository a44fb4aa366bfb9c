import { newId } from '../runtime/ids';
import { FlushQueue } from './flush-batch';
import type { ReservedCall } from './leases';
import { Lease } from './lease';

describe('FlushQueue', () => {
  it('takes a lease together with the end of its call, however many leases wait before it', () => {
    const queue = new FlushQueue();
    const leases = Array.from({ length: 400 }, () => new Lease(newId(), null, null, newId()));
    leases.forEach((lease) => queue.leases.add(lease));
    const lease = leases.at(-1) as Lease;
    queue.ends.push({ lease } as ReservedCall);
    expect(queue.take().leases[0]).toBe(lease);
    expect(queue.leases).toEqual(new Set(leases.slice(299, -1)));
  });
});
