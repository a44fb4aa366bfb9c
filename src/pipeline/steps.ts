import type { Step } from './step';

/** The steps that the module lists, in its order. */
export class Steps {
  readonly inOrder: readonly Step[];

  constructor(...steps: Step[]) {
    this.inOrder = steps;
  }
}
