import { Injectable } from '@nestjs/common';
import { CallTraces } from '../core/events/outbox/call-traces';
import type { MeteredCall } from './metered-call';
import { ReservationStep } from './step-4-5-6-reservation';
import { WorkStep } from './step-7-work';
import { StepTimes } from './step-times';
import { UsageLogStep } from './step-8-usage-log';

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
