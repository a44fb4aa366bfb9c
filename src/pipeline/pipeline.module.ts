import { Module } from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_INTERCEPTOR } from '@nestjs/core';
import { TemporaryFiles } from '../infrastructure/http/forms/temporary-files';
import { ADMISSION, CallsModule } from './calls.module';
import { AnswerHooks } from './http/answer-hooks';
import { ErrorFilter } from './http/error.filter';
import { ErrorRenderer } from './http/error-renderer';
import { HttpCalls } from './http/http-calls';
import { HttpMetrics } from './http/http-metrics';
import { MeteringInterceptor } from './http/metering.interceptor';
import { StepGuard } from './http/step.guard';
import { SharedBounds } from './http/shared-bounds';
import { UnroutedRequests } from './http/unrouted-requests';
import { UnsentAnswers } from './http/unsent-answers';
import type { Step } from './step';
import { StepTimes } from './step-times';

const STEP_GUARDS = ADMISSION.map((step) => ({
  provide: APP_GUARD,
  useFactory: (admitting: Step, calls: HttpCalls, times: StepTimes) => new StepGuard(admitting, calls, times),
  inject: [step, HttpCalls, StepTimes],
}));

/**
 * How HTTP leads calls through the steps. The application imports this module before the API groups and other modules, so
 * that guards of theirs run after these and interceptors of theirs inside the metering.
 */
@Module({
  imports: [CallsModule],
  providers: [
    ...STEP_GUARDS,
    { provide: APP_INTERCEPTOR, useClass: MeteringInterceptor },
    { provide: APP_FILTER, useClass: ErrorFilter },
    AnswerHooks,
    ErrorRenderer,
    HttpCalls,
    HttpMetrics,
    SharedBounds,
    UnroutedRequests,
    UnsentAnswers,
    { provide: TemporaryFiles, useFactory: () => new TemporaryFiles() },
  ],
  exports: [SharedBounds],
})
export class PipelineModule {}
