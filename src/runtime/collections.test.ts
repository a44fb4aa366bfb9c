import { PassingMap } from './collections';

describe('a map of what comes and goes', () => {
  const filled = () => {
    const map = new PassingMap<{ name: string }>();
    for (const name of ['a', 'b', 'c']) {
      map.set(name, { name });
    }
    return map;
  };
  const namesIn = (map: PassingMap<{ name: string }>) => [...map.values()].map(({ name }) => name);

  it('has what was set and not deleted, in the order of arrival', () => {
    const map = filled();
    expect([map.delete('b'), map.delete('b'), map.delete('never')]).toEqual([true, false, false]);
    map.set('b', { name: 'b again' });
    expect([map.size, map.has('b'), map.get('b'), map.get('never')]).toEqual([
      3,
      true,
      { name: 'b again' },
      undefined,
    ]);
    expect(namesIn(map)).toEqual(['a', 'c', 'b again']);
  });

  it('gives a key that is set again its new value and its old place', () => {
    const map = filled();
    map.set('a', { name: 'other' });
    expect([map.size, ...namesIn(map)]).toEqual([3, 'other', 'b', 'c']);
  });

  it('gives nothing that was deleted while its values are gone through', () => {
    const map = filled();
    const seen: string[] = [];
    for (const { name } of map.values()) {
      seen.push(name);
      map.delete(name === 'a' ? 'b' : 'a');
    }
    expect(seen).toEqual(['a', 'c']);
  });

  it('has nothing once it was cleared', () => {
    const map = filled();
    map.clear();
    expect([map.size, map.has('a'), namesIn(map)]).toEqual([0, false, []]);
    map.set('d', { name: 'd' });
    expect(namesIn(map)).toEqual(['d']);
  });
});
