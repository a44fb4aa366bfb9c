import type { CanActivate, ExecutionContext } from '@nestjs/common';
import type { StepTimes } from '../step-times';
import type { Step } from '../step';
import { HttpCalls } from './http-calls';

/**
 * A step of the admission as a guard of Nest's. The guard never returns false: a step refuses by throwing, which names
 * the error. Whatever is no operation passes: routes of other kinds, and messages of sockets.
 */
export class StepGuard implements CanActivate {
  constructor(
    private readonly step: Step,
    private readonly calls: HttpCalls,
    private readonly times: StepTimes,
  ) {}

  /** @returns no promise where the step has nothing to wait for, so that Nest does not wait either */
  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    const call = this.calls.of(context);
    if (call === null) {
      return true;
    }
    const { name } = this.step;
    const begunMs = performance.now();
    const note = () => this.times.note(name, call, begunMs);
    let pending: Promise<void> | void;
    try {
      pending = this.step.run(call);
    } catch (error) {
      note();
      throw error;
    }
    if (pending === undefined) {
      note();
      return true;
    }
    return pending.then(
      () => {
        note();
        return true;
      },
      (error) => {
        note();
        throw error;
      },
    );
  }
}
