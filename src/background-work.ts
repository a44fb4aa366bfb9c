import type { INestApplicationContext } from '@nestjs/common';
import type { Configuration } from './config/configuration';
import { EventRelay } from './core/events/deliveries/event-relay';
import { DocumentRelay } from './core/knowledge/documents/document-relay';
import { PaymentMetrics } from './core/money/payments/payment-metrics';
import { TaskRelay } from './core/work/tasks/task-relay';
import { QueueProcessors } from './infrastructure/queue/queue-processors';
import { Books } from './upkeep/books';
import { PaymentSchedule } from './upkeep/payment-schedule';

/**
 * Begins what a process does besides answering calls. It is called once the process listens, so that no job is begun by
 * one that then fails to start. Every process hands deliveries, documents and tasks to the queue; its jobs are left to other processes where the role is `api`.
 */
export function startBackgroundWork(application: INestApplicationContext, role: Configuration['role']): void {
  void application.get(EventRelay, { strict: false }).start();
  void application.get(TaskRelay, { strict: false }).start();
  application.get(DocumentRelay, { strict: false }).start();
  application.get(PaymentMetrics, { strict: false }).start();
  if (role !== 'api') {
    application.get(QueueProcessors, { strict: false }).start();
    void application.get(Books, { strict: false }).tick();
    void application.get(PaymentSchedule, { strict: false }).tick();
  }
}
