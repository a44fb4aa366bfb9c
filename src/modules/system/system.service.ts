import { Injectable } from '@nestjs/common';
import { Configuration } from '../../config/configuration';
import { API_VERSION } from '../../contract/api-version';
import { Engines, type EngineState } from '../../core/models/engines';
import { TaskCounts, type TaskNumbers } from '../../core/work/tasks/task-counts';
import { Clock } from '../../infrastructure/clock/clock';
import { EventLoopDelay } from '../../infrastructure/metrics/event-loop-delay';
import { machineShare, type MachineShare } from '../../infrastructure/metrics/machine-share';
import { RecentLatencies, type RecentLatency } from '../../infrastructure/metrics/recent-latencies';
import { Features, type Feature } from './features';

export interface SystemFacts {
  version: string;
  environment: Configuration['environment'];
  features: Feature[];
  engines: EngineState[];
}

export interface SystemFigures {
  uptimeSeconds: number;
  queue: TaskNumbers;
  latencies: RecentLatency[];
}

export interface ReplicaResources extends MachineShare {
  eventLoopDelayP99Ms: number;
}

/** What the service offers and how it is doing. Nothing in it may tell of other accounts or of where it runs. */
@Injectable()
export class SystemService {
  private readonly startedAtMs: number;

  constructor(
    private readonly configuration: Configuration,
    private readonly clock: Clock,
    private readonly features: Features,
    private readonly engines: Engines,
    private readonly latencies: RecentLatencies,
    private readonly eventLoop: EventLoopDelay,
    private readonly tasks: TaskCounts,
  ) {
    this.startedAtMs = clock.now().getTime();
  }

  async info(): Promise<SystemFacts> {
    const [features, engines] = await Promise.all([this.features.list(), this.engines.list()]);
    return { version: API_VERSION, environment: this.configuration.environment, features, engines };
  }

  async metrics(accountId: string): Promise<SystemFigures> {
    const uptimeMs = this.clock.now().getTime() - this.startedAtMs;
    return {
      uptimeSeconds: Math.max(0, Math.floor(uptimeMs / 1000)),
      queue: await this.tasks.of(accountId),
      latencies: this.latencies.all(),
    };
  }

  resources(): ReplicaResources {
    return { ...machineShare(), eventLoopDelayP99Ms: this.eventLoop.p99Ms() };
  }
}
