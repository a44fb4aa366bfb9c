import type { Step } from './step';

/** The steps that decide whether a call may be made, and at what price, in their order. */
export class Admission {
  readonly steps: readonly Step[];

  constructor(...steps: Step[]) {
    this.steps = steps;
  }
}
