import { at } from '../../../scripts/generate/json';
import { parsed } from './fuzz-answers';
import type { FuzzTally } from './fuzz-tally';

/** What a busy machine keeps from the database for longer than a connection may be silent, or than a charge may wait. */
const KNOWN =
  /the upkeep of \w+ failed and is tried again|DatabaseUnreachable: the database cannot be reached: no answer in time|DatabaseAway: /;

/** The lines of a service's log of errors, by kind. Whatever else stands there is a fault: what callers send is no error of ours. */
export class FuzzLog {
  private readonly kinds = new Map<string, number>();

  constructor(private readonly tally: FuzzTally) {}

  add(line: string): void {
    const entry = parsed(line);
    const message = at(entry, 'message', 'message') ?? at(entry, 'message') ?? line;
    const kind = (typeof message === 'string' ? message : JSON.stringify(message))
      .replace(/[0-9a-f-]{36}/g, '…')
      .slice(0, 120);
    this.kinds.set(kind, (this.kinds.get(kind) ?? 0) + 1);
    if (!KNOWN.test(line)) {
      this.tally.fault(`logged: ${kind}`, line);
    }
  }

  toString(): string {
    return [...this.kinds].map(([kind, count]) => `${count} × ${kind}`).join('\n  ');
  }
}
