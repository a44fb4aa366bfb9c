import { Global, Module, type OnModuleInit } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { Configuration } from '../config/configuration';
import { Estimates } from '../contract/estimates';
import { AnsweredOperations } from '../contract/answered-module';
import { RequestValidator } from '../contract/request-validator';
import { UnsentBytes } from '../http/http-server';
import { Metrics } from '../observability/metrics';
import { BatchOperations, TaskOperations } from './internal-operations';
import { Credentials, RateSubjects } from './credentials';
import { MeteredCalls, ServedOperations } from './metered-calls';
import { IdempotencyStep, SecretAnswers } from './step-2c-idempotency';
import { Settlement, StreamedAnswers } from './settlement';
import { AccountMoves } from './account-moves';
import { CallsInFlight, EndedCredentials } from './calls-in-flight';
import {
  Admission,
  AuthenticationStep,
  RateLimitStep,
  RequestValidationStep,
  type Step,
  StepTimes,
} from './admission';
import { Metering, ReservationStep } from './metering';
import { FirstLook, LargeBodyStep, PriceStep } from './step-3-price';
import { UnchargedCalls, UsageLogStep } from './step-8-usage-log';

@Global()
@Module({
  providers: [Estimates, RequestValidator, AnsweredOperations],
  exports: [Estimates, RequestValidator, AnsweredOperations],
})
class ContractModule {}

/** In their order. Over HTTP they are one guard. */
const ADMISSION = [
  RateLimitStep,
  AuthenticationStep,
  AccountMoves,
  LargeBodyStep,
  RequestValidationStep,
  IdempotencyStep,
  PriceStep,
];

/** Over HTTP they are one interceptor around the controller, whose work is step 7. */
const METERING = [ReservationStep, UsageLogStep];

const SHARED = [
  Admission,
  CallsInFlight,
  Credentials,
  Metering,
  RateSubjects,
  ServedOperations,
  UnchargedCalls,
  UnsentBytes,
];

/** Workers have it too, without routes. Global, because features ask for TaskOperations and BatchOperations. */
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
    BatchOperations,
    TaskOperations,
    CallsInFlight,
    Credentials,
    EndedCredentials,
    FirstLook,
    MeteredCalls,
    Metering,
    RateSubjects,
    SecretAnswers,
    ServedOperations,
    Settlement,
    StepTimes,
    StreamedAnswers,
    UnchargedCalls,
  ],
  exports: [RateLimitStep, AuthenticationStep, ...SHARED, MeteredCalls, BatchOperations, TaskOperations],
})
export class CallsModule implements OnModuleInit {
  constructor(
    private readonly operations: ServedOperations,
    private readonly admission: Admission,
  ) {}

  /** Works out which steps each operation has, so that no call has to. */
  onModuleInit(): void {
    this.operations.all().forEach(({ policy }) => this.admission.prepare(policy));
  }
}

function unsentBytes({ unsentBytesMax }: Configuration, metrics: Metrics): UnsentBytes {
  const unsent = new UnsentBytes(unsentBytesMax);
  metrics.gauge('unsent_bytes', 'Bytes of answers that wait for their readers.', () => unsent.bytes);
  return unsent;
}
