import { Injectable } from '@nestjs/common';
import type { MeteredCall } from './metered-call';
import { ReservationStep } from './step-4-5-6-reservation';
import { WorkStep } from './step-7-work';
import { UsageLogStep } from './step-8-usage-log';

/** The money of a call that was admitted: steps 4, 5 and 6, then its work, then step 8. */
@Injectable()
export class Metering {
  constructor(
    private readonly reservation: ReservationStep,
    private readonly work: WorkStep,
    private readonly usageLog: UsageLogStep,
  ) {}

  /**
   * @param work begins step 7; called once, after the reservation, and not for a retry whose answer is stored already
   * @returns the answer as step 8 gives it
   * @throws whatever ends the call; whoever called `run` then has to take the call back (MeteredCall.fail)
   */
  async run(call: MeteredCall, work: () => Promise<unknown>): Promise<unknown> {
    if (call.isOver) {
      throw new Error(`${call.policy.operationId} was answered before its work began`);
    }
    call.isWorking = true;
    try {
      if (call.replay) {
        return await this.usageLog.replay(call, call.replay);
      }
      call.throwIfCancelled();
      const reserved = this.reservation.run(call);
      if (reserved !== undefined) {
        await reserved;
      }
      call.throwIfCancelled();
      const result = await this.work.run(call, work()).catch((error) => this.usageLog.left(call, error));
      return await this.usageLog.run(call, result);
    } finally {
      call.isWorking = false;
    }
  }
}
