import { Module } from '@nestjs/common';
import { CryptoPaymentsService } from './crypto-payments.service';
import { PaymentsController } from './payments.controller';
import { PaymentsService } from './payments.service';

@Module({ controllers: [PaymentsController], providers: [CryptoPaymentsService, PaymentsService] })
export class PaymentsModule {}
