import type { CanActivate, ExecutionContext } from '@nestjs/common';
import type { Step } from '../step';
import { HttpCalls } from './http-calls';

/**
 * A step of the admission as a guard of Nest's. It refuses by what the step throws, which names the error, and lets all pass
 * that is no operation: routes of other kinds, and messages of sockets.
 */
export class StepGuard implements CanActivate {
  constructor(
    private readonly step: Step,
    private readonly calls: HttpCalls,
  ) {}

  /** @returns no promise where the step has nothing to wait for: Nest waits for those only */
  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    const call = this.calls.of(context);
    if (call === null) {
      return true;
    }
    const pending = this.step.run(call);
    return pending === undefined ? true : pending.then(() => true);
  }
}
