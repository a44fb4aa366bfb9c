import type { MeteredCall } from './metered-call';
import type { StepName } from './step-times';

/**
 * One step of the pipeline. It leaves on the call what later steps need, and throws the error that ends the call. A
 * step that has nothing to wait for returns no promise, so that the next step follows at once.
 */
export interface Step {
  /** As the metrics name it. */
  readonly name: StepName;
  run(call: MeteredCall): Promise<void> | void;
}
