import fc from 'fast-check';
import { hashedVector } from './content-stems';

describe('hashedVector', () => {
  const similarity = (one: string, other: string) => {
    const vector = hashedVector(other, 384);
    return hashedVector(one, 384).reduce((sum, value, index) => sum + value * (vector[index] ?? 0), 0);
  };

  it.each([
    [
      'The tenant pays the rent monthly.',
      'Monthly rent is paid by the tenants.',
      'Bees collect nectar from flowers.',
    ],
    ['How do I reset my password?', 'Resetting a forgotten password', 'Shipping takes three working days'],
    ['database connection refused', 'connections to the database are refused', 'a recipe for apple pie'],
  ])('puts %j closer to %j than to %j', (text, similar, unrelated) => {
    expect(similarity(text, similar)).toBeGreaterThan(0.3);
    expect(similarity(text, similar)).toBeGreaterThan(similarity(text, unrelated) + 0.2);
  });

  it('tells texts without words apart', () => {
    expect(similarity('!!!', '???')).toBeLessThan(0.9);
  });

  it('has length 1 and repeats itself, for any text and number of dimensions', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.integer({ min: 1, max: 384 }), (text, dimensions) => {
        const vector = hashedVector(text, dimensions);
        expect(vector).toHaveLength(dimensions);
        expect(Math.hypot(...vector)).toBeCloseTo(1, 5);
        expect(hashedVector(text, dimensions)).toEqual(vector);
      }),
    );
  });
});
