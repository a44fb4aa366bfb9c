import { Global, Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { Configuration } from '../config/configuration';
import { Estimates } from '../contract/operation';
import { AnsweredOperations } from '../contract/answered-module';
import { RequestValidator } from '../contract/request-validator';
import { UnsentBytes } from '../http/http-server';
import { Metrics } from '../observability/metrics';
import { Credentials, RateSubjects } from './credentials';
import { MeteredCalls, ServedOperations, TaskOperations } from './metered-calls';
import { StreamedAnswers } from './sent-streams';
import { AccountMoves, CallsInFlight, EndedCredentials } from './calls-in-flight';
import {
  Admission,
  AuthenticationStep,
  IdempotencyStep,
  RateLimitStep,
  RequestValidationStep,
  StepTimes,
} from './admission';
import { Metering, ReservationStep } from './metering';
import { FirstLook, PriceStep } from './step-3-price';
import { EncryptedAnswers, UsageLogStep } from './step-8-usage-log';
import { UnchargedCalls } from './uncharged-calls';

const STEPS = [
  RateLimitStep,
  AuthenticationStep,
  AccountMoves,
  RequestValidationStep,
  IdempotencyStep,
  PriceStep,
  ReservationStep,
  UsageLogStep,
];

const SHARED = [
  Admission,
  AnsweredOperations,
  CallsInFlight,
  Credentials,
  Estimates,
  MeteredCalls,
  Metering,
  RateSubjects,
  RequestValidator,
  ServedOperations,
  TaskOperations,
  UnchargedCalls,
];

/** Workers load it without routes. Global, because features inject some of SHARED. */
@Global()
@Module({
  imports: [DiscoveryModule],
  providers: [
    ...STEPS,
    ...SHARED,
    EndedCredentials,
    FirstLook,
    EncryptedAnswers,
    StepTimes,
    StreamedAnswers,
    { provide: UnsentBytes, useFactory: unsentBytes, inject: [Configuration, Metrics] },
  ],
  exports: [RateLimitStep, AuthenticationStep, ...SHARED, UnsentBytes],
})
export class CallsModule {}

function unsentBytes({ unsentBytesMax }: Configuration, metrics: Metrics): UnsentBytes {
  const unsent = new UnsentBytes(unsentBytesMax);
  metrics.gauge('unsent_bytes', 'Bytes of answers that wait for their readers.', () => unsent.bytes);
  return unsent;
}
