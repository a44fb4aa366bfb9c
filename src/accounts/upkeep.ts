import { Injectable, Logger } from '@nestjs/common';
import { CallTraces } from '../events/call-traces';
import { EventRetention } from '../events/outbox';
import { part, timed } from '../work/timers';
import { Sightings } from './anomaly-observations';

/** Deletes events and their deliveries 30 days after, and what was kept to write events once: marks and sightings. */
@Injectable()
export class OldEvents {
  private readonly logger = new Logger('OldEvents');

  constructor(
    private readonly events: EventRetention,
    private readonly sightings: Sightings,
    private readonly traces: CallTraces,
  ) {}

  /** Removes once. When one part fails, the others are still done. */
  async remove(now: Date, signal: AbortSignal): Promise<void> {
    const { logger, events, traces, sightings } = this;
    await part(logger, 'the removal of old events', () => events.removeEvents(now, signal));
    await part(logger, 'the removal of free marks', () => events.removeMarks(now, signal));
    await part(logger, 'forgetting slow receivers', () => events.removeSlowReceivers(now, signal));
    await part(logger, 'the removal of old traces', () => traces.sweep(now, signal));
    await part(logger, 'the removal of old sightings', () => sightings.sweep(now, signal));
  }
}

export const EVENT_TIMERS = [
  timed({
    name: 'OldEvents',
    everyMs: 60_000,
    of: OldEvents,
    work: (events, { now, signal }) => events.remove(now, signal),
  }),
];
