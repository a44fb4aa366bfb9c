import { Module } from '@nestjs/common';
import { APP_GUARD, APP_INTERCEPTOR } from '@nestjs/core';
import { ContractModule } from '../contract/contract.module';
import { CallsInFlight } from './calls-in-flight';
import { Credentials } from './credentials';
import { HttpMetrics } from './http-metrics';
import { RateSubjects } from './rate-subjects';
import { ResolvedCredentials } from './resolved-credentials';
import { RateLimitGuard } from './step-1-rate-limit.guard';
import { AuthenticationGuard } from './step-2-authentication.guard';
import { RequestValidationGuard } from './step-2b-request-validation.guard';
import { IdempotencyGuard } from './step-2c-idempotency.guard';
import { PriceGuard } from './step-3-price.guard';
import { ChargeGuard } from './step-4-5-6-charge.guard';
import { UsageLogInterceptor } from './step-8-usage-log.interceptor';
import { UnchargedCalls } from './uncharged-calls';

/** The order in which every call passes; step 7 is the controller. */
const STEPS = [
  RateLimitGuard,
  AuthenticationGuard,
  RequestValidationGuard,
  IdempotencyGuard,
  PriceGuard,
  ChargeGuard,
].map((useClass) => ({ provide: APP_GUARD, useClass }));

@Module({
  imports: [ContractModule],
  providers: [
    ...STEPS,
    { provide: APP_INTERCEPTOR, useClass: UsageLogInterceptor },
    CallsInFlight,
    Credentials,
    HttpMetrics,
    RateSubjects,
    ResolvedCredentials,
    UnchargedCalls,
  ],
})
export class PipelineModule {}
