import { Module } from '@nestjs/common';
import { AttemptsRepository } from './attempts.repository';
import { DeliveryAttempts } from './delivery-attempts';
import { FastDeliveryProcessor, SlowDeliveryProcessor } from './delivery-processors';

/** What makes the attempts of deliveries. A process of role `api` leaves it to other processes. */
@Module({
  providers: [AttemptsRepository, DeliveryAttempts, FastDeliveryProcessor, SlowDeliveryProcessor],
})
export class DeliveryWorkersModule {}
