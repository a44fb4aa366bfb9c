import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { CallTraces } from '../events/call-traces';
import { EventRetention } from '../events/outbox';
import { Clock } from '../runtime/clock';
import { TimedJob } from '../work/timers';
import { Sightings } from './anomaly-observations';

const REMOVED_EVERY_MS = 60_000;

@Injectable()
export class OldEvents implements OnModuleDestroy {
  readonly job = new TimedJob('OldEvents', (signal) => this.remove(signal));

  constructor(
    private readonly events: EventRetention,
    private readonly sightings: Sightings,
    private readonly traces: CallTraces,
    private readonly clock: Clock,
  ) {}

  @Interval(REMOVED_EVERY_MS)
  tick(): Promise<void> {
    return this.job.tick();
  }

  onModuleDestroy(): Promise<void> {
    return this.job.end();
  }

  private async remove(signal: AbortSignal): Promise<void> {
    const now = this.clock.now();
    await this.job.part('the removal of old events', () => this.events.removeEvents(now, signal));
    await this.job.part('the removal of free marks', () => this.events.removeMarks(now, signal));
    await this.job.part('forgetting slow receivers', () => this.events.removeSlowReceivers(now, signal));
    await this.job.part('the removal of old traces', () => this.traces.sweep(now, signal));
    await this.job.part('the removal of old sightings', () => this.sightings.sweep(now, signal));
  }
}
