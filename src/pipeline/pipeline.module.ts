import { Module } from '@nestjs/common';
import { ContractModule } from '../contract/contract.module';
import { OperationHandler } from '../contract/operation-handler';
import { OperationRoutes } from '../contract/operation-routes';
import { CallsInFlight } from './calls-in-flight';
import { Credentials } from './credentials';
import { HttpMetrics } from './http-metrics';
import { Pipeline } from './pipeline';
import { RateSubjects } from './rate-subjects';
import type { Step } from './step';
import { RateLimitStep } from './step-1-rate-limit';
import { AuthenticationStep } from './step-2-authentication';
import { RequestValidationStep } from './step-2b-request-validation';
import { IdempotencyStep } from './step-2c-idempotency';
import { PriceStep } from './step-3-price';
import { ChargeStep } from './step-4-5-6-charge';
import { ControllerStep } from './step-7-controller';
import { UsageLogStep } from './step-8-usage-log';
import { Steps } from './steps';
import { StreamedCalls } from './streamed-calls';
import { UnchargedCalls } from './uncharged-calls';

/** The order in which every call of every operation passes. */
const STEPS = [
  RateLimitStep,
  AuthenticationStep,
  RequestValidationStep,
  IdempotencyStep,
  PriceStep,
  ChargeStep,
  ControllerStep,
  UsageLogStep,
];

@Module({
  imports: [ContractModule],
  providers: [
    ...STEPS,
    { provide: Steps, useFactory: (...steps: Step[]) => new Steps(...steps), inject: STEPS },
    { provide: OperationHandler, useClass: Pipeline },
    OperationRoutes,
    CallsInFlight,
    Credentials,
    HttpMetrics,
    RateSubjects,
    StreamedCalls,
    UnchargedCalls,
  ],
})
export class PipelineModule {}
