import { planOf } from './operation';

class PlannedWalk {
  constructor(readonly steps: number) {}
}

class PlannedRide {
  readonly isFast = true;
}

describe('planOf', () => {
  it("gives a handler its estimator's plan, as the class that both know", () => {
    expect(planOf({ plan: new PlannedWalk(3) }, PlannedWalk).steps).toBe(3);
  });

  it.each([
    ['nothing', null],
    ['the plan of another operation', new PlannedRide()],
    ['what only looks like it', { steps: 3 }],
  ])('throws and names the plan where the estimator left %s', (_, plan) => {
    expect(() => planOf({ plan }, PlannedWalk)).toThrow('without its PlannedWalk');
  });
});
