import { Module } from '@nestjs/common';
import { PaymentProcessor } from './payment.processor';

/** What looks at the chains. A process of role `api` leaves it to other processes. */
@Module({ providers: [PaymentProcessor] })
export class PaymentWorkersModule {}
