import { Module } from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_INTERCEPTOR, DiscoveryModule } from '@nestjs/core';
import { Configuration } from '../config/configuration';
import { ContractModule } from '../contract/contract.module';
import { UnsentBytes } from '../infrastructure/http/unsent-bytes';
import { Metrics } from '../infrastructure/metrics/metrics';
import { Admission } from './admission';
import { CallsInFlight } from './calls-in-flight';
import { Credentials } from './credentials';
import { AnswerHooks } from './http/answer-hooks';
import { ErrorFilter } from './http/error.filter';
import { ErrorRenderer } from './http/error-renderer';
import { HttpCalls } from './http/http-calls';
import { HttpMetrics } from './http/http-metrics';
import { MeteringInterceptor } from './http/metering.interceptor';
import { StepGuard } from './http/step.guard';
import { UnsentAnswers } from './http/unsent-answers';
import { MeteredCalls } from './job/metered-calls';
import { ResponseSerializers } from './job/response-serializers';
import { Metering } from './metering';
import { RateSubjects } from './rate-subjects';
import { ServedOperations } from './served-operations';
import { Settlement } from './settlement';
import type { Step } from './step';
import { RateLimitStep } from './step-1-rate-limit';
import { AuthenticationStep } from './step-2-authentication';
import { RequestValidationStep } from './step-2b-request-validation';
import { IdempotencyStep } from './step-2c-idempotency';
import { PriceStep } from './step-3-price';
import { ReservationStep } from './step-4-5-6-reservation';
import { WorkStep } from './step-7-work';
import { UsageLogStep } from './step-8-usage-log';
import { StreamedAnswers } from './streamed-answers';
import { UnchargedCalls } from './uncharged-calls';

/** The steps that decide whether a call may be made and at what price. Over HTTP each is a guard, in this order. */
const ADMISSION = [RateLimitStep, AuthenticationStep, RequestValidationStep, IdempotencyStep, PriceStep];

/**
 * The steps that move the call's money. Over HTTP they are one interceptor around the controller, whose work is step 7.
 */
const METERING = [ReservationStep, WorkStep, UsageLogStep];

const STEP_GUARDS = ADMISSION.map((step) => ({
  provide: APP_GUARD,
  useFactory: (admitting: Step, calls: HttpCalls) => new StepGuard(admitting, calls),
  inject: [step, HttpCalls],
}));

/**
 * The application imports this module before the API groups and other modules, so that guards of theirs run after these
 * and interceptors of theirs inside the metering.
 */
@Module({
  imports: [ContractModule, DiscoveryModule],
  providers: [
    ...ADMISSION,
    ...METERING,
    ...STEP_GUARDS,
    { provide: APP_INTERCEPTOR, useClass: MeteringInterceptor },
    { provide: APP_FILTER, useClass: ErrorFilter },
    { provide: Admission, useFactory: (...steps: Step[]) => new Admission(...steps), inject: ADMISSION },
    { provide: UnsentBytes, useFactory: unsentBytes, inject: [Configuration, Metrics] },
    AnswerHooks,
    CallsInFlight,
    Credentials,
    ErrorRenderer,
    HttpCalls,
    HttpMetrics,
    MeteredCalls,
    Metering,
    RateSubjects,
    ResponseSerializers,
    ServedOperations,
    Settlement,
    StreamedAnswers,
    UnchargedCalls,
    UnsentAnswers,
  ],
  exports: [MeteredCalls],
})
export class PipelineModule {}

function unsentBytes({ unsentBytesMax }: Configuration, metrics: Metrics): UnsentBytes {
  const unsent = new UnsentBytes(unsentBytesMax);
  metrics.gauge('unsent_bytes', 'Bytes of answers that wait for their readers.', () => unsent.bytes);
  return unsent;
}
