import { Module } from '@nestjs/common';
import { AdminController } from './admin.controller';
import { AdminPaymentsService } from './admin-payments.service';
import { AdminService } from './admin.service';

@Module({ controllers: [AdminController], providers: [AdminPaymentsService, AdminService] })
export class AdminModule {}
