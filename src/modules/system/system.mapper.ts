import type { SystemInfo, SystemMetrics, SystemResources } from '../../../generated/types';
import { LATENCY_WINDOW_SECONDS } from '../../infrastructure/metrics/recent-latencies';
import type { ReplicaResources, SystemFacts, SystemFigures } from './system.service';

export function toSystemInfo({ version, environment, features, engines }: SystemFacts): SystemInfo {
  return {
    version,
    environment,
    features: features.map(({ name, isAvailable, engine, needs }) => ({
      name,
      is_available: isAvailable,
      engine,
      needs,
    })),
    engines: engines.map(({ provider, quality, operations, models, isAvailable }) => ({
      provider,
      quality,
      operations: [...operations],
      models,
      is_available: isAvailable,
    })),
  };
}

export function toSystemMetrics({ uptimeSeconds, queue, latencies }: SystemFigures): SystemMetrics {
  return {
    uptime_seconds: uptimeSeconds,
    window_seconds: LATENCY_WINDOW_SECONDS,
    queue: {
      waiting: queue.waiting,
      running: queue.running,
      own_waiting: queue.ownWaiting,
      own_running: queue.ownRunning,
    },
    latencies: latencies.map(({ kind, count, p50Ms, p95Ms, p99Ms }) => ({
      rate_class: kind as SystemMetrics['latencies'][number]['rate_class'],
      requests: count,
      p50_ms: p50Ms,
      p95_ms: p95Ms,
      p99_ms: p99Ms,
    })),
  };
}

export function toSystemResources(resources: ReplicaResources): SystemResources {
  return {
    cores: resources.cores,
    load_average_1m: resources.loadAverage,
    memory_total_bytes: resources.memoryBytes,
    memory_free_bytes: resources.freeMemoryBytes,
    process_memory_bytes: resources.processMemoryBytes,
    heap_used_bytes: resources.heapUsedBytes,
    event_loop_delay_p99_ms: resources.eventLoopDelayP99Ms,
  };
}
