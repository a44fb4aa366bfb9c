import { Global, Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { Configuration } from '../config/configuration';
import { ContractModule } from '../contract/contract.module';
import { BatchOperations } from '../core/work/batches/batch-operations';
import { TaskOperations } from '../core/work/tasks/task-operations';
import { UnsentBytes } from '../infrastructure/http/unsent-bytes';
import { Metrics } from '../infrastructure/metrics/metrics';
import { Admission } from './admission';
import { BinaryAnswers } from './binary-answers';
import { CallsInFlight } from './calls-in-flight';
import { Credentials } from './credentials';
import { FirstLook } from './first-look';
import { MeteredBatchOperations } from './job/metered-batch-operations';
import { MeteredCalls } from './job/metered-calls';
import { MeteredTaskOperations } from './job/metered-task-operations';
import { Metering } from './metering';
import { RateSubjects } from './rate-subjects';
import { ServedOperations } from './served-operations';
import { Settlement } from './settlement';
import type { Step } from './step';
import { StepTimes } from './step-times';
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
export const ADMISSION = [
  RateLimitStep,
  AuthenticationStep,
  RequestValidationStep,
  IdempotencyStep,
  PriceStep,
];

/**
 * The steps that move the call's money. Over HTTP they are one interceptor around the controller, whose work is step 7.
 */
const METERING = [ReservationStep, WorkStep, UsageLogStep];

/** What HTTP needs of the steps as well. */
const SHARED = [
  CallsInFlight,
  Credentials,
  Metering,
  RateSubjects,
  ServedOperations,
  StepTimes,
  UnchargedCalls,
  UnsentBytes,
];

/**
 * The steps of every call, and how calls from within the service pass them. It needs no HTTP, so a worker has it too, with
 * the API groups but without their routes. It is global because core asks for TaskOperations and BatchOperations, of
 * which it knows no more.
 */
@Global()
@Module({
  imports: [ContractModule, DiscoveryModule],
  providers: [
    ...ADMISSION,
    ...METERING,
    {
      provide: Admission,
      useFactory: (times: StepTimes, ...steps: Step[]) => new Admission(times, steps),
      inject: [StepTimes, ...ADMISSION],
    },
    { provide: UnsentBytes, useFactory: unsentBytes, inject: [Configuration, Metrics] },
    { provide: BatchOperations, useClass: MeteredBatchOperations },
    { provide: TaskOperations, useClass: MeteredTaskOperations },
    CallsInFlight,
    Credentials,
    FirstLook,
    MeteredCalls,
    Metering,
    RateSubjects,
    ServedOperations,
    Settlement,
    StepTimes,
    StreamedAnswers,
    BinaryAnswers,
    UnchargedCalls,
  ],
  exports: [...ADMISSION, ...SHARED, MeteredCalls, BatchOperations, TaskOperations],
})
export class CallsModule {}

function unsentBytes({ unsentBytesMax }: Configuration, metrics: Metrics): UnsentBytes {
  const unsent = new UnsentBytes(unsentBytesMax);
  metrics.gauge('unsent_bytes', 'Bytes of answers that wait for their readers.', () => unsent.bytes);
  return unsent;
}
