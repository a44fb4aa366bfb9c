import type { MeteredCall } from './metered-call';
import type { Step } from './step';
import type { StepTimes } from './step-times';

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
