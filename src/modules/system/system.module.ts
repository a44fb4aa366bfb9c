import { Module } from '@nestjs/common';
import { Features } from './features';
import { SystemController } from './system.controller';
import { SystemService } from './system.service';

@Module({ controllers: [SystemController], providers: [Features, SystemService] })
export class SystemModule {}
