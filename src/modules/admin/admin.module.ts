import { Module } from '@nestjs/common';
import { AccountSummaries } from './account-summaries';
import { AdminController } from './admin.controller';
import { AdminPaymentsService } from './admin-payments.service';
import { AdminRecordsService } from './admin-records.service';
import { AdminUpgradesService } from './admin-upgrades.service';
import { AdminWebhooksService } from './admin-webhooks.service';
import { AdminService } from './admin.service';

@Module({
  controllers: [AdminController],
  providers: [
    AccountSummaries,
    AdminPaymentsService,
    AdminRecordsService,
    AdminService,
    AdminUpgradesService,
    AdminWebhooksService,
  ],
})
export class AdminModule {}
