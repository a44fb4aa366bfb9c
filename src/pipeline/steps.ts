import { Injectable } from '@nestjs/common';
import { CallTraces } from '../events/call-traces';
import { type Histogram, Metrics } from '../observability/metrics';
import type { SpanFacts } from '../observability/tracing';
import type { MeteredCall } from './metered-call';
import { ReservationStep } from './step-4-reserve';
import { WorkStep } from './step-7-work';
import { UsageLogStep } from './step-8-usage-log';

const SECONDS = [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.1, 0.25, 1, 5, 30, 120];

/** What a call waits for in turn. `settlement` lasts to the end of a stream. */
const STEPS = [
  'rate_limit',
  'authentication',
  'validation',
  'idempotency',
  'price',
  'reservation',
  'work',
  'settlement',
] as const;

type StepName = (typeof STEPS)[number];

/**
 * How long each step takes, for the metrics and for the spans of a traced call. Every call notes eight times, so that a
 * note is two reads of the clock and an addition.
 */
@Injectable()
export class StepTimes {
  private readonly seconds: Readonly<Record<StepName, Histogram>>;

  constructor(metrics: Metrics) {
    const family = metrics.histogram('pipeline_step_seconds', 'Time of one step of a call.', SECONDS);
    const series = STEPS.map((step) => [step, family.labelled({ step })] as const);
    this.seconds = Object.fromEntries(series) as Record<StepName, Histogram>;
  }

  /** @param begunMs when the step began, by performance.now() */
  note(step: StepName, call: MeteredCall, begunMs: number): void {
    const durationMs = performance.now() - begunMs;
    this.seconds[step].observe(durationMs / 1000);
    call.span?.child(step, 'internal', {}, durationMs).end();
  }
}

/**
 * One step of the pipeline. It leaves on the call what later steps need, and throws the error that ends the call. A
 * step that has nothing to wait for returns no promise, so that the next step follows at once.
 */
export interface Step {
  /** As the metrics name it. */
  readonly name: StepName;
  run(call: MeteredCall): Promise<void> | void;
}

/**
 * What the span of a call says of it: names of the document and the id by which its receipt is found. It says nothing
 * of who called and nothing of what was sent, not even a path with its parameters.
 */
export function factsOf({ policy, requestId }: Pick<MeteredCall, 'policy' | 'requestId'>): SpanFacts {
  return {
    'http.request.method': policy.method,
    'http.route': policy.path,
    'app.operation_id': policy.operationId,
    'app.request_id': requestId,
  };
}

/** The steps that decide whether a call may be made, and at what price, in their order. */
export class Admission {
  constructor(
    private readonly times: StepTimes,
    private readonly steps: readonly Step[],
  ) {}

  /** Leads a call that comes without HTTP through them. @throws the error of the step that refuses it */
  async run(call: MeteredCall): Promise<void> {
    for (const step of this.steps) {
      const begunMs = performance.now();
      try {
        const pending = step.run(call);
        if (pending !== undefined) {
          await pending;
        }
      } finally {
        this.times.note(step.name, call, begunMs);
      }
    }
  }
}

/** The money of a call that was admitted: steps 4, 5 and 6, then its work, then step 8. */
@Injectable()
export class Metering {
  constructor(
    private readonly reservation: ReservationStep,
    private readonly work: WorkStep,
    private readonly usageLog: UsageLogStep,
    private readonly times: StepTimes,
    private readonly traces: CallTraces,
  ) {}

  /**
   * @param work begins step 7; called once, after the reservation, and not for a retry whose answer is stored already
   * @returns the answer as step 8 gives it
   * @throws whatever ends the call; whoever called `run` then has to take the call back (MeteredCall.fail)
   */
  async run(call: MeteredCall, work: () => Promise<unknown>): Promise<unknown> {
    call.throwIfAnswered();
    call.isWorking = true;
    try {
      if (call.replay) {
        return await this.usageLog.replay(call, call.replay);
      }
      call.throwIfCancelled();
      await this.reserve(call);
      this.noteTrace(call);
      call.throwIfAnswered();
      call.throwIfCancelled();
      const workedMs = performance.now();
      const result = await this.work
        .run(call, work())
        .finally(() => this.times.note('work', call, workedMs))
        .catch((error) => this.usageLog.left(call, error));
      const answeredMs = performance.now();
      try {
        return await this.usageLog.run(call, result);
      } finally {
        this.times.note('settlement', call, answeredMs);
      }
    } finally {
      call.isWorking = false;
    }
  }

  /**
   * What the call causes elsewhere is found by its request id. Only from here on can it cause anything, and only for an
   * account: whoever is refused, or has none, must not be able to have rows written. A trace that is not sampled is noted
   * too, or other processes would take the call for the beginning of its own trace, and send that.
   */
  private noteTrace({ requestId, account, traceParent }: MeteredCall): void {
    if (account !== null && traceParent !== null) {
      this.traces.note(requestId, traceParent);
    }
  }

  private async reserve(call: MeteredCall): Promise<void> {
    const begunMs = performance.now();
    try {
      const reserved = this.reservation.run(call);
      if (reserved !== undefined) {
        await reserved;
      }
    } finally {
      this.times.note('reservation', call, begunMs);
    }
  }
}
