import { Module } from '@nestjs/common';
import { V1Controller } from './v1.controller';
import { V1Estimators } from './v1.estimators';
import { V1Service } from './v1.service';

@Module({ controllers: [V1Controller], providers: [V1Estimators, V1Service] })
export class V1Module {}
