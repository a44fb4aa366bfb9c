import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { Queue } from 'bullmq';
import { QueueFaults } from './queue-faults';

/** Logs the faults of all queues to which jobs are added. BullMQ writes those that nobody listens for to the console. */
@Injectable()
export class WatchedQueues implements OnModuleInit {
  constructor(private readonly discovery: DiscoveryService) {}

  onModuleInit(): void {
    for (const { instance } of this.discovery.getProviders()) {
      const provider = instance as unknown;
      if (provider instanceof Queue) {
        provider.on('error', new QueueFaults(provider.name).report);
      }
    }
  }
}
