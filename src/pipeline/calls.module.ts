import { Global, Injectable, Module, type OnModuleInit } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { Configuration } from '../config/configuration';
import { Estimates } from '../contract/estimates';
import { AnsweredOperations } from '../contract/answered-module';
import { RequestValidator } from '../contract/request-validator';
import { type ValidationDetail, ValidationFailed } from '../errors/api-errors';
import { UnsentBytes } from '../http/http-server';
import { Metrics } from '../observability/metrics';
import {
  type BatchedCall,
  BatchOperations,
  type RunOrder,
  TaskOperations,
} from '../contract/internal-operations';
import { Credentials, RateSubjects } from './credentials';
import { MeteredCalls, ServedOperations } from './metered-calls';
import { IdempotencyStep, SecretAnswers } from './step-2c-idempotency';
import { Settlement, StreamedAnswers } from './settlement';
import { CallsInFlight, EndedCredentials } from './calls-in-flight';
import {
  Admission,
  AuthenticationStep,
  RateLimitStep,
  RequestValidationStep,
  type Step,
  StepTimes,
} from './admission';
import { Metering, ReservationStep, WorkStep } from './metering';
import { FirstLook, LargeBodyStep, PriceStep } from './step-3-price';
import { BinaryAnswers, UnchargedCalls, UsageLogStep } from './step-8-usage-log';

/** What every operation needs, whichever module serves it. */
@Global()
@Module({
  providers: [Estimates, RequestValidator, AnsweredOperations],
  exports: [Estimates, RequestValidator, AnsweredOperations],
})
class ContractModule {}

/** The items of batches, as calls that pass the same steps as a request; their rate was counted with the batch. */
@Injectable()
class MeteredBatchOperations extends BatchOperations {
  constructor(private readonly calls: MeteredCalls) {
    super();
  }

  async run({
    operationId,
    keyId,
    body,
    idempotencyKey,
    ...options
  }: BatchedCall): Promise<{ text: string; tokens: number }> {
    const { body: text, headers } = await this.calls.run(
      operationId,
      { kind: 'key', keyId },
      { body },
      { ...options, isPart: true, ...(idempotencyKey !== null && { idempotencyKey }) },
    );
    if (text === null) {
      throw new Error(`${operationId} answers with no body, so no batch can have it`);
    }
    return { text, tokens: Number(headers['x-tokens-used']) };
  }
}

/** The operations that tasks run, as calls that pass the same steps as a request. */
@Injectable()
class MeteredTaskOperations extends TaskOperations {
  constructor(
    private readonly validator: RequestValidator,
    private readonly calls: MeteredCalls,
  ) {
    super();
  }

  judge(operationId: string, body: unknown): ValidationDetail[] {
    try {
      // A copy, because the validation fills in defaults.
      this.validator.validateBody(operationId, structuredClone(body));
      return [];
    } catch (error) {
      if (error instanceof ValidationFailed) {
        return error.details;
      }
      throw error;
    }
  }

  async run({
    operationId,
    keyId,
    parameters,
    claim,
    clientRequestId,
    cancel,
    reached,
  }: RunOrder): Promise<void> {
    const input = { body: JSON.parse(parameters) as unknown };
    const options = { claim, clientRequestId, cancel, reached };
    await this.calls.run(operationId, { kind: 'key', keyId }, input, options);
  }
}

/** The steps that decide whether a call may be made and at what price, in their order. Over HTTP they are one guard. */
const ADMISSION = [
  RateLimitStep,
  AuthenticationStep,
  LargeBodyStep,
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
  Admission,
  CallsInFlight,
  Credentials,
  Metering,
  RateSubjects,
  ServedOperations,
  UnchargedCalls,
  UnsentBytes,
];

/**
 * The steps of every call, and how calls from within the service pass them. It needs no HTTP, so a worker has it too, with
 * the API groups but without their routes. It is global because features ask for TaskOperations and BatchOperations, of
 * which they know no more.
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
    BinaryAnswers,
    UnchargedCalls,
  ],
  exports: [RateLimitStep, AuthenticationStep, ...SHARED, MeteredCalls, BatchOperations, TaskOperations],
})
export class CallsModule implements OnModuleInit {
  constructor(
    private readonly operations: ServedOperations,
    private readonly admission: Admission,
    private readonly metering: Metering,
  ) {}

  /** Works out which steps each operation has, so that no call has to. */
  onModuleInit(): void {
    for (const { policy } of this.operations.all()) {
      this.admission.prepare(policy);
      this.metering.prepare(policy);
    }
  }
}

function unsentBytes({ unsentBytesMax }: Configuration, metrics: Metrics): UnsentBytes {
  const unsent = new UnsentBytes(unsentBytesMax);
  metrics.gauge('unsent_bytes', 'Bytes of answers that wait for their readers.', () => unsent.bytes);
  return unsent;
}
