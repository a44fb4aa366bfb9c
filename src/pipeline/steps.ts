import { Injectable } from '@nestjs/common';
import { CallTraces } from '../events/call-traces';
import { type Histogram, Metrics } from '../observability/metrics';
import type { SpanFacts } from '../observability/tracing';
import type { OperationPolicy } from '../contract/operation';
import type { StoredAnswer } from '../ledger/idempotency';
import type { MeteredCall } from './metered-call';
import { ReservationStep } from './step-4-reserve';
import { type Work, WorkStep } from './step-7-work';
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
 * How long each step takes, for the metrics and for the spans of a traced call. Every call notes each of its steps, so
 * that a note is one read of the clock and an addition.
 */
@Injectable()
export class StepTimes {
  private readonly seconds: Readonly<Record<StepName, Histogram>>;

  constructor(metrics: Metrics) {
    const family = metrics.histogram('pipeline_step_seconds', 'Time of one step of a call.', SECONDS);
    const series = STEPS.map((step) => [step, family.labelled({ step })] as const);
    this.seconds = Object.fromEntries(series) as Record<StepName, Histogram>;
  }

  /**
   * @param begunMs when the step began, by performance.now()
   * @returns when it ended, which is when the next one begins
   */
  note(step: StepName, call: MeteredCall, begunMs: number): number {
    const endedMs = performance.now();
    const durationMs = endedMs - begunMs;
    this.seconds[step].observe(durationMs / 1000);
    call.span?.child(step, 'internal', {}, durationMs).end();
    return endedMs;
  }

  /** Begins to time a step and those that follow it. */
  start(step: StepName, call: MeteredCall): StepWatch {
    return new StepWatch(this, call, step);
  }
}

/** Times steps that follow each other. Whoever starts it stops it, also when a step has failed. */
class StepWatch {
  private beganMs = performance.now();

  constructor(
    private readonly times: StepTimes,
    private readonly call: MeteredCall,
    private step: StepName | null,
  ) {}

  /** Ends the step that runs and begins the next one. */
  next(step: StepName): void {
    this.stop();
    this.step = step;
  }

  /** Ends the step that runs; does nothing where none does. */
  stop(): void {
    if (this.step !== null) {
      this.beganMs = this.times.note(this.step, this.call, this.beganMs);
      this.step = null;
    }
  }
}

/**
 * One step of the pipeline. It leaves on the call what later steps need, and throws the error that ends the call. A
 * step that has nothing to wait for returns no promise, so that the next step follows at once.
 */
export interface Step {
  /** As the metrics name it. */
  readonly name: StepName;
  /** Whether calls of an operation pass it. It is asked once for each operation, never for a call. */
  isPassedBy(policy: OperationPolicy): boolean;
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

/** The steps that decide whether a call may be made, and at what price: those that its operation needs, in their order. */
export class Admission {
  private readonly lists = new Map<OperationPolicy, readonly Step[]>();

  constructor(
    private readonly times: StepTimes,
    private readonly steps: readonly Step[],
  ) {}

  /** Works the list of an operation out. Its policy alone decides, so that nothing is asked again when a call comes. */
  prepare(policy: OperationPolicy): readonly Step[] {
    const list = this.steps.filter((step) => step.isPassedBy(policy));
    this.lists.set(policy, list);
    return list;
  }

  /**
   * Leads a call through them.
   * @returns no promise where no step had to wait
   * @throws the error of the step that refuses it
   */
  run(call: MeteredCall): Promise<void> | void {
    return this.pass(call, this.lists.get(call.policy) ?? this.prepare(call.policy), 0, performance.now());
  }

  private pass(
    call: MeteredCall,
    steps: readonly Step[],
    first: number,
    startedMs: number,
  ): Promise<void> | void {
    let beganMs = startedMs;
    for (let index = first; index < steps.length; index += 1) {
      const step = steps[index] as Step;
      let pending: Promise<void> | void;
      try {
        pending = step.run(call);
      } catch (error) {
        this.times.note(step.name, call, beganMs);
        throw error;
      }
      if (pending !== undefined) {
        const rest = (endedMs: number) => this.pass(call, steps, index + 1, endedMs);
        return this.afterWait(call, step, beganMs, pending).then(rest);
      }
      beganMs = this.times.note(step.name, call, beganMs);
    }
  }

  /** @returns when the step ended */
  private async afterWait(
    call: MeteredCall,
    { name }: Step,
    beganMs: number,
    pending: Promise<void>,
  ): Promise<number> {
    try {
      await pending;
    } catch (error) {
      this.times.note(name, call, beganMs);
      throw error;
    }
    return this.times.note(name, call, beganMs);
  }
}

/** Leads an admitted call from its reservation to its settlement. @returns the answer as step 8 gives it */
export type Meter = (call: MeteredCall, work: Work) => Promise<unknown>;

/**
 * What follows the admission of a call: steps 4, 5 and 6, then its work, then step 8. What an operation needs of it
 * follows from its policy: a free one has no reservation and no settlement, and one that takes no Idempotency-Key has
 * no stored answers.
 *
 * Each meter calls `work` once, which begins step 7, and not for a retry whose answer is stored already. It throws
 * whatever ends the call; whoever called it then has to take the call back (MeteredCall.fail).
 */
@Injectable()
export class Metering {
  private readonly meters = new Map<OperationPolicy, Meter>();

  constructor(
    private readonly reservation: ReservationStep,
    private readonly work: WorkStep,
    private readonly usageLog: UsageLogStep,
    private readonly times: StepTimes,
    private readonly traces: CallTraces,
  ) {}

  /** Works the meter of an operation out. */
  prepare(policy: OperationPolicy): Meter {
    const meter = this.meterOf(policy, policy.idempotent);
    this.meters.set(policy, meter);
    return meter;
  }

  /** The meter of an operation's calls. A call that brings its claim has its answer kept, whatever its operation takes. */
  of(policy: OperationPolicy, hasClaim = false): Meter {
    return hasClaim ? this.meterOf(policy, true) : (this.meters.get(policy) ?? this.prepare(policy));
  }

  private meterOf({ price }: OperationPolicy, keepsAnswers: boolean): Meter {
    if (price !== null) {
      return (call, work) => this.charged(call, work);
    }
    return keepsAnswers ? (call, work) => this.kept(call, work) : (call, work) => this.free(call, work);
  }

  private async free(call: MeteredCall, work: Work): Promise<unknown> {
    return this.unpaid(call, work, (result) => this.usageLog.free(call, result));
  }

  private async kept(call: MeteredCall, work: Work): Promise<unknown> {
    return call.replay
      ? this.replayed(call, call.replay)
      : this.unpaid(call, work, (result) => this.usageLog.kept(call, result));
  }

  private async unpaid(
    call: MeteredCall,
    work: Work,
    answer: (result: unknown) => unknown,
  ): Promise<unknown> {
    call.beginWork();
    const watch = this.times.start('work', call);
    try {
      this.noteTrace(call);
      const result = await this.work.run(call, work);
      watch.next('settlement');
      return await answer(result);
    } finally {
      watch.stop();
      call.isWorking = false;
    }
  }

  private async charged(call: MeteredCall, work: Work): Promise<unknown> {
    if (call.replay) {
      return this.replayed(call, call.replay);
    }
    const quote = call.quoted();
    call.beginWork();
    const watch = this.times.start('reservation', call);
    try {
      await this.reservation.reserve(call, quote);
      this.noteTrace(call);
      call.throwIfEnded();
      watch.next('work');
      let result: unknown;
      try {
        result = await this.work.run(call, work);
      } catch (error) {
        watch.stop();
        return await this.usageLog.left(call, quote, error);
      }
      watch.next('settlement');
      return await this.usageLog.charged(call, quote, result);
    } finally {
      watch.stop();
      call.isWorking = false;
    }
  }

  private async replayed(call: MeteredCall, stored: StoredAnswer): Promise<string> {
    call.throwIfAnswered();
    call.isWorking = true;
    try {
      return await this.usageLog.replay(call, stored);
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
}
